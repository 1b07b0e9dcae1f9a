#include "witness.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

// Standard deviations of a robot's motion: the fast ones of the field do 5 m/s and 10 rad/s.
constexpr double SPEED_M_S = 2.5, TURN_RAD_S = 5;
// What two good poses of a camera that stands still may differ by.
constexpr double JITTER_M = 0.03, JITTER_RAD = 0.02;
// After half a second a robot can be anywhere that a mirror image can be.
constexpr int64_t MAX_GAP_US = 500'000;
// A pose that fits no memory is not impossible: people may have carried the robot, or the memory is wrong.
constexpr double MIN_NEARNESS = 1e-4;

}  // namespace

double PoseMemory::log_odds(const Pose& first, const Pose& second, int64_t at_us) const {
  if (!is_fresh(at_us)) return 0;
  const double after_s = static_cast<double>(at_us - at_us_) * 1e-6;
  return std::clamp(std::log(nearness(first, after_s) / nearness(second, after_s)), -MAX_LOG_ODDS, MAX_LOG_ODDS);
}

bool PoseMemory::is_fresh(int64_t at_us) const { return knows_ && at_us > at_us_ && at_us - at_us_ <= MAX_GAP_US; }

void PoseMemory::remember(const Pose& likelier, const std::optional<Pose>& other, double log_odds, int64_t at_us) {
  knows_ = true;
  at_us_ = at_us;
  likelier_ = likelier;
  other_ = other;
  chance_ = other ? 1 / (1 + std::exp(-log_odds)) : 1;
}

double PoseMemory::nearness(const Pose& pose, double after_s) const {
  const auto close_to = [&](const Pose& before) {
    const Pose way = compose(invert(before), pose);
    const double metres = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z) / (JITTER_M + SPEED_M_S * after_s);
    const double turn = rotation_angle(way) / (JITTER_RAD + TURN_RAD_S * after_s);
    return std::exp(-(metres * metres + turn * turn) / 2);
  };
  return MIN_NEARNESS + chance_ * close_to(likelier_) + (other_ ? (1 - chance_) * close_to(*other_) : 0);
}

}  // namespace vedette
