#include "heading_log.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace vedette {

namespace {

constexpr double RAD = 0.01745329251994329577;

// What is believed of a robot's gyro, and of the time that its sample bears: half a degree of drift in a match, and a
// quarter of a robot's loop. At half a turn per second the second is as much as the first.
constexpr double SIGMA_DEG = 0.5, SIGMA_S = 0.005;

// Between samples that tell a rate. Closer ones came in a bunch: a network's delay is most of what lies between them.
constexpr int64_t MIN_APART_US = 10'000;

/**
 * guessed_s: from the sample that it follows from. A robot begins and ends to turn within a few frames, so that all of
 * what it turned since is in doubt.
 */
RobotYaw yaw_of(double yaw_deg, double rate_dps, double guessed_s = 0) {
  return {std::remainder(yaw_deg, 360) * RAD, std::hypot(SIGMA_DEG, (SIGMA_S + std::fabs(guessed_s)) * rate_dps) * RAD};
}

/** Some robots say it from -180 to 180. */
double turned_deg(const Heading& from, const Heading& to) { return std::remainder(to.yaw_deg - from.yaw_deg, 360); }

double seconds(const Heading& from, const Heading& to) { return static_cast<double>(to.at_us - from.at_us) / 1e6; }

}  // namespace

void HeadingLog::add(const Heading& heading) {
  const bool is_old = count_ > 0 && nth(count_ - 1).at_us - heading.at_us > 2 * NEAREST_US;
  if (is_old && !std::exchange(was_old_, true)) return;
  was_old_ = false;
  while (count_ > 0 && nth(count_ - 1).at_us >= heading.at_us) count_--;
  if (count_ == MAX) {
    first_ = (first_ + 1) % MAX;
    count_--;
  }
  samples_[(first_ + count_) % MAX] = heading;
  count_++;
}

/** As the robot says it; many say none at all, which is 0. Then by the samples beside it. */
double HeadingLog::rate_dps(size_t n) const {
  const Heading& sample = nth(n);
  if (sample.yaw_rate_dps != 0) return sample.yaw_rate_dps;
  const auto tells = [&sample](const Heading& other) {
    const int64_t apart_us = std::llabs(other.at_us - sample.at_us);
    return apart_us >= MIN_APART_US && apart_us <= 2 * NEAREST_US;
  };
  for (size_t i = n; i-- > 0;)
    if (tells(nth(i))) return turned_deg(nth(i), sample) / seconds(nth(i), sample);
  for (size_t i = n + 1; i < count_; i++)
    if (tells(nth(i))) return turned_deg(sample, nth(i)) / seconds(sample, nth(i));
  return 0;
}

RobotYaw HeadingLog::extrapolated(size_t n, int64_t at_us) const {
  const double rate = rate_dps(n), since_s = static_cast<double>(at_us - nth(n).at_us) / 1e6;
  return yaw_of(nth(n).yaw_deg + rate * since_s, rate, since_s);
}

std::optional<RobotYaw> HeadingLog::at(int64_t at_us) const {
  size_t after = count_;  // the first that is later; those that are asked for are nearly the newest
  while (after > 0 && nth(after - 1).at_us > at_us) after--;
  const Heading* before = after > 0 ? &nth(after - 1) : nullptr;
  const Heading* next = after < count_ ? &nth(after) : nullptr;
  if (before && next && next->at_us - before->at_us <= 2 * NEAREST_US) {
    const double rate = turned_deg(*before, *next) / seconds(*before, *next);
    return yaw_of(before->yaw_deg + rate * static_cast<double>(at_us - before->at_us) / 1e6, rate);
  }
  const auto is_near = [at_us](const Heading* sample) {
    return sample && std::llabs(at_us - sample->at_us) <= NEAREST_US;
  };
  if (is_near(before)) return extrapolated(after - 1, at_us);
  if (is_near(next)) return extrapolated(after, at_us);
  return std::nullopt;
}

}  // namespace vedette
