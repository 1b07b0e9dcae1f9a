// Which way the robot looks, as it says itself.
#pragma once

#include <cstdint>
#include <optional>

namespace vedette {

/**
 * About the field's z axis, radians; 0 looks along its x axis. sigma_rad: how far it may be off, one standard
 * deviation.
 */
struct RobotYaw {
  double yaw_rad = 0, sigma_rad = 0;
};

/** Where that is asked for. Any thread. */
class RobotYaws {
 public:
  virtual ~RobotYaws() = default;
  /** At a time of CLOCK_MONOTONIC; nothing where the robot said none near it. */
  virtual std::optional<RobotYaw> yaw_at(int64_t at_us) const = 0;
};

}  // namespace vedette
