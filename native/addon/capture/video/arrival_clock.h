// When the pictures of a live video were taken, as far as that can be told: they come in bursts and late, but carry times of a clock of their own.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace vedette {

class ArrivalClock {
 public:
  /** The time of a picture with this time of its own that has just come, in the clock of `now_us`; never later than now, always later than the last. */
  int64_t captured_us(int64_t pts_us, int64_t now_us) {
    const int64_t offset_us = now_us - pts_us;
    // The picture that was on its way for the shortest time says most. Slowly forgotten: the two clocks do not run alike.
    if (!is_set_ || std::llabs(offset_us - offset_us_) > JUMP_US || offset_us < offset_us_)
      offset_us_ = offset_us;
    else
      offset_us_ += (offset_us - offset_us_) / FORGETTING;
    is_set_ = true;
    const int64_t taken_us = pts_us + offset_us_;
    return last_us_ = taken_us > last_us_ ? taken_us : last_us_ + 1;
  }

  /** By how much a picture has come later than the quickest did. */
  int64_t late_us(int64_t pts_us, int64_t now_us) const { return now_us - pts_us - offset_us_; }
  /** The time of its own that a picture has that comes now and is not late. */
  int64_t pts_now_us(int64_t now_us) const { return now_us - offset_us_; }

 private:
  static constexpr int64_t JUMP_US = 3'000'000;  // the camera has set its clock
  static constexpr int64_t FORGETTING = 3000;    // pictures: a hundred seconds

  bool is_set_ = false;
  int64_t offset_us_ = 0, last_us_ = 0;
};

}  // namespace vedette
