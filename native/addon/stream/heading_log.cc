#include "heading_log.h"

#include <cmath>
#include <cstdlib>

namespace vedette {

namespace {

constexpr double RAD = 0.01745329251994329577;

// What is believed of a robot's gyro, and of the time that its sample bears: half a degree of drift in a match, and a quarter of a robot's loop. At half a turn per second the second is as much as the first.
constexpr double SIGMA_DEG = 0.5, SIGMA_S = 0.005;

RobotYaw yaw_of(double yaw_deg, double rate_dps) { return {std::remainder(yaw_deg, 360) * RAD, std::hypot(SIGMA_DEG, SIGMA_S * rate_dps) * RAD}; }

RobotYaw extrapolated(const Heading& from, int64_t at_us) {
  return yaw_of(from.yaw_deg + from.yaw_rate_dps * static_cast<double>(at_us - from.at_us) / 1e6, from.yaw_rate_dps);
}

}  // namespace

void HeadingLog::add(const Heading& heading) {
  while (count_ > 0 && nth(count_ - 1).at_us >= heading.at_us) count_--;
  if (count_ == MOST) {
    first_ = (first_ + 1) % MOST;
    count_--;
  }
  samples_[(first_ + count_) % MOST] = heading;
  count_++;
}

std::optional<RobotYaw> HeadingLog::at(int64_t at_us) const {
  size_t after = count_;  // the first that is later; those that are asked for are nearly the newest
  while (after > 0 && nth(after - 1).at_us > at_us) after--;
  const Heading* before = after > 0 ? &nth(after - 1) : nullptr;
  const Heading* next = after < count_ ? &nth(after) : nullptr;
  if (before && next && next->at_us - before->at_us <= 2 * NEAREST_US) {
    const double whole_s = static_cast<double>(next->at_us - before->at_us) / 1e6, share = static_cast<double>(at_us - before->at_us) / 1e6 / whole_s;
    const double turned_deg = std::remainder(next->yaw_deg - before->yaw_deg, 360);  // some robots say it from -180 to 180
    return yaw_of(before->yaw_deg + share * turned_deg, turned_deg / whole_s);
  }
  const auto is_near = [at_us](const Heading* sample) { return sample && std::llabs(at_us - sample->at_us) <= NEAREST_US; };
  if (is_near(before)) return extrapolated(*before, at_us);
  if (is_near(next)) return extrapolated(*next, at_us);
  return std::nullopt;
}

}  // namespace vedette
