// What a robot has said of its heading in the last seconds, and what follows for a time between.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "robot_yaw.h"

namespace vedette {

/** A sample: Heading of machines/extcam/live.ts. */
struct Heading {
  int64_t at_us = 0;
  double yaw_deg = 0, yaw_rate_dps = 0;
};

/** Takes no memory beyond its own. One thread at a time. */
class HeadingLog {
 public:
  /**
   * The last word counts: samples that were said to be later are forgotten, since a clock was set right in between. By
   * more than 2 NEAREST_US only when the next one says so too: a second one who speaks by another clock, in turn with
   * the robot, is not heard.
   */
  void add(const Heading& heading);

  /**
   * Between two samples on the straight line; else by the rate of the nearest one, and less sure the further off that
   * is. Nothing where none is within NEAREST_US.
   */
  std::optional<RobotYaw> at(int64_t at_us) const;

  static constexpr int64_t NEAREST_US = 100'000;
  static constexpr size_t MAX = 512;  // two seconds of a robot that says it at 250 Hz

 private:
  /** The n-th, from the oldest. */
  const Heading& nth(size_t n) const { return samples_[(first_ + n) % MAX]; }

  double rate_dps(size_t n) const;
  RobotYaw extrapolated(size_t n, int64_t at_us) const;

  std::array<Heading, MAX> samples_;
  size_t first_ = 0, count_ = 0;
  bool was_old_ = false;  // the last one that came, which was not taken
};

}  // namespace vedette
