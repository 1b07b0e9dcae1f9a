// What of a part has been given to the kernel, written down where it outlives the engine: the process that takes a
// viewer over knows what is still owed to it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "part.h"

namespace vedette {

/** A record of the page, as machines/viewers/record.ts reads it. */
class Record {
 public:
  /** position: the connection's, of the part's first byte. */
  void begin(const Part& part, uint64_t position);
  /** How much was given is not known until settled(). */
  void about_to_send() { state_.store(SENDING); }
  /** is_whole: nothing is owed. */
  void settled(size_t sent_bytes, bool is_whole);
  void clear() { state_.store(NOTHING_OWED); }

 private:
  enum State : uint32_t { NOTHING_OWED, OWED, SENDING };
  static constexpr size_t HEAD_ROOM = 480;

  std::atomic<uint32_t> state_;
  uint32_t sent_bytes_;
  uint64_t position_;
  uint32_t jpeg_bytes_, head_bytes_;
  char head_[HEAD_ROOM];
  uint8_t unused_[8];
};
static_assert(sizeof(Record) == 512, "machines/viewers/record.ts counts on it");

/** The page: one record for each place. Shared with the control process through a file that both have open. */
class Records {
 public:
  Records() = default;
  ~Records();
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /** Throws Fault. */
  void map(int fd);
  /** Throws Fault for a place that there is not. */
  Record& at(size_t place) const;

 private:
  Record* first_ = nullptr;
  size_t bytes_ = 0;
};

/** How many bytes a TCP connection has been given to send, counted from some moment of its beginning. Throws Fault. */
uint64_t position_of(int fd);

}  // namespace vedette
