// All outputs of this process. One that cannot be written is told, tried again, and costs the others nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lamp_output.h"

namespace vedette::lamps {

class LampHolder {
 public:
  /** Of an output, by its place: why it cannot be written, or an empty text: it can again. */
  using Told = std::function<void(size_t place, const std::string& why)>;

  LampHolder(std::vector<OutputOrder> orders, Told told);

  /** Bytes of a frame. */
  size_t channels() const { return channels_; }

  /** Takes all of them, which puts them off; how many could be had. */
  size_t take(int64_t now_us);

  /** Shows a frame of `channels()` bytes; no byte above the limit of its output. */
  void show(const uint8_t* frame, int64_t now_us);

  /** Puts all off, whatever was shown before; whether all of them are off for sure. */
  bool put_off(int64_t now_us);

  /** Tries those again that could not be written and have rested; one that is back is off. */
  void retry(int64_t now_us);

 private:
  struct Held {
    OutputOrder order;
    std::unique_ptr<LampOutput> output;  // none: it cannot be written
    std::vector<uint8_t> shown;          // empty: nothing is known of what it shows
    int64_t shown_us = 0;
    int64_t retry_us = 0;
    std::string why;
  };

  void take_one(size_t place, int64_t now_us);
  void lose(size_t place, const std::string& why, int64_t now_us);

  std::vector<Held> all_;
  size_t channels_ = 0;
  Told told_;
};

}  // namespace vedette::lamps
