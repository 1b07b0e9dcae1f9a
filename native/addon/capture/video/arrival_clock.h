// When the pictures of a live video were taken, as far as that can be told: they come in bursts and late, but carry
// times of a clock of their own.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace vedette {

/** Times of pictures' own lie within 2^53 us of zero. */
class ArrivalClock {
 public:
  /**
   * The time of a picture with this time of its own that has just come, in the clock of `now_us`; never later than now,
   * always later than the last.
   */
  int64_t captured_us(int64_t pts_us, int64_t now_us) {
    const int64_t offset_us = now_us - pts_us;
    // The picture that was on its way for the shortest time says most. Slowly forgotten: the two clocks do not run
    // alike.
    if (!is_set_ || std::llabs(offset_us - offset_us_) > JUMP_US || offset_us < offset_us_) offset_us_ = offset_us;
    else offset_us_ += (offset_us - offset_us_) / FORGETTING;
    is_set_ = true;
    const int64_t taken_us = pts_us + offset_us_;
    return last_us_ = taken_us > last_us_ ? taken_us : last_us_ + 1;
  }

  /**
   * Asked once for each picture, after its captured_us(): the time of its own from which on pictures are wanted, when
   * decoding is slower than the camera and older ones wait. None: go on.
   *
   * Pictures may also be late because the way of all of them has become longer, or because the camera's times run
   * slower than its pictures: where skipping does not help, or nothing lies ready that could be skipped, late is how
   * they come from now on. was_waited_for: the picture did not lie ready when it was asked for.
   */
  std::optional<int64_t> skip_to_us(int64_t pts_us, int64_t now_us, bool was_waited_for) {
    const bool is_late = now_us - pts_us - offset_us_ > LATE_US;
    const bool was_late = std::exchange(was_late_, is_late), has_skipped = std::exchange(has_skipped_, false);
    if (!is_late) return std::nullopt;
    if (has_skipped || (was_late && was_waited_for)) {
      offset_us_ = now_us - pts_us;
      was_late_ = false;
      return std::nullopt;
    }
    // the first one behind a gap says nothing: the next one tells whether more lies there
    if (was_waited_for) return std::nullopt;
    has_skipped_ = true;
    return now_us - offset_us_ - LATE_US / 2;
  }

 private:
  static constexpr int64_t JUMP_US = 3'000'000;  // the camera has set its clock
  static constexpr int64_t FORGETTING = 3000;    // pictures: a hundred seconds
  static constexpr int64_t LATE_US = 300'000;    // later than the quickest

  bool is_set_ = false, was_late_ = false, has_skipped_ = false;
  int64_t offset_us_ = 0, last_us_ = 0;
};

}  // namespace vedette
