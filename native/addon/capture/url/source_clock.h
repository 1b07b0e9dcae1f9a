// When a picture was taken by another device of this kind, in the time of this one.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace vedette {

/**
 * SourceClock of machines/clock/source-clock.ts: CLOCK_MONOTONIC of the other device minus that of this one, and by how
 * much that may be off, in microseconds.
 */
struct ClockOffset {
  int64_t offset_us = 0, within_us = 0;
};

/**
 * What is known of the clock of the device whose pictures come; nothing at first. Any thread. It outlives openings of
 * the camera.
 */
class SourceClock {
 public:
  void set(const std::optional<ClockOffset>& offset) {
    const std::lock_guard<std::mutex> lock(mutex_);
    offset_ = offset;
  }

  std::optional<ClockOffset> offset() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return offset_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<ClockOffset> offset_;
};

/**
 * CLOCK_MONOTONIC of this device, in microseconds; never later than `began_us`, when the picture began to come.
 * taken_us: by the clock of the device that took it; 0: it does not say. Nothing: that is not known, or cannot be: what
 * is known of its clock is not true of the one that it stamps pictures with.
 */
std::optional<int64_t> captured_here_us(const std::optional<ClockOffset>& clock, int64_t taken_us, int64_t began_us);

}  // namespace vedette
