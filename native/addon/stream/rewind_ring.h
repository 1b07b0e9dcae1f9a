// The last pictures of a stream and what was found in them, in one piece of memory that never grows: what comes pushes
// out what is oldest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vedette {

/**
 * What lies in front of each item's bytes. opening: of a result, which opening of the camera it is of; PICTURE: it is a
 * JPEG. captured_us: CLOCK_MONOTONIC.
 */
struct RewindItem {
  static constexpr int64_t PICTURE = -1;
  int64_t number, opening, captured_us;
  size_t length;

  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(this + 1); }
};

/** Not for more than one thread at a time. */
class RewindRing {
 public:
  /** Takes addresses for so many bytes; memory as it is filled, and gives all of it back in the end. Throws Fault. */
  explicit RewindRing(size_t max_bytes);
  ~RewindRing();
  RewindRing(const RewindRing&) = delete;
  RewindRing& operator=(const RewindRing&) = delete;

  size_t max_bytes() const { return max_bytes_; }

  /** Keeps a copy; what is larger than all of it is left out. */
  void add(int64_t opening, int64_t captured_us, const void* bytes, size_t length);
  /** Forgets all of it. */
  void clear();

  /** How much there is. bytes: with what lies in front of each item. span_us: from the oldest item to the newest. */
  struct Kept {
    int64_t pictures = 0, span_us = 0;
    size_t bytes = 0;
  };
  Kept kept() const;

  /** Where a reader is. A new one begins with what is oldest. */
  struct Place {
    size_t offset = 0;
    int64_t number = 0;
  };
  /**
   * The next item for a reader, in the order in which they came, without those that were pushed out meanwhile; none: it
   * has seen all. Valid until the next add.
   */
  const RewindItem* next(Place& place) const;

 private:
  RewindItem* at(size_t offset) const { return reinterpret_cast<RewindItem*>(memory_ + offset); }
  size_t room_for(size_t size);
  void drop_oldest();

  const size_t max_bytes_;
  uint8_t* memory_;
  // What is kept lies from oldest_ to newest_end_; once the end of the memory was reached, from oldest_ to wrapped_at_,
  // then from 0 to newest_end_.
  size_t oldest_ = 0, newest_end_ = 0, wrapped_at_ = 0;
  bool is_wrapped_ = false;
  int64_t items_ = 0, next_number_ = 0, pictures_ = 0, newest_us_ = 0;
  size_t bytes_ = 0;
};

}  // namespace vedette
