// Which way the robot looks, as it says itself.
#pragma once

namespace vedette {

/** About the field's z axis, radians; 0 looks along its x axis. sigma_rad: how far it may be off, one standard deviation. */
struct RobotYaw {
  double yaw_rad = 0, sigma_rad = 0;
};

}  // namespace vedette
