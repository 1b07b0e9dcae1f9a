// What becomes of pictures that cannot be used: each is lost alone. Where none can be used there is no camera, and
// saying so is better than to go round in silence.
#pragma once

#include <mutex>
#include <optional>

#include "source.h"
#include "warnings.h"

namespace vedette {

class BadPictures {
 public:
  BadPictures(const Source& source, Warnings& warnings) : source_(source), warnings_(warnings) {}
  BadPictures(const BadPictures&) = delete;
  BadPictures& operator=(const BadPictures&) = delete;

  /** One is lost, the stream goes on. Any thread. */
  void warn(const Fault& fault);

  /** The worker's picture gave a result. */
  void had_result() { in_a_row_ = 0; }
  /** It gave none. Returns why there is no camera, when none of its pictures does. */
  std::optional<Fault> had_none(const Frame& frame, const Fault& fault);

  /** Why a source has ended without a single result; nothing when no picture was bad. */
  std::optional<Fault> fault_of_end();

 private:
  const Source& source_;
  Warnings& warnings_;
  std::mutex mutex_;  // last_
  Fault last_;
  size_t in_a_row_ = 0;  // without a result since the last that had one; the worker's
};

}  // namespace vedette
