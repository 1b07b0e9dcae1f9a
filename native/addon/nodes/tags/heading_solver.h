// Where the robot is when it is known which way it looks.
#pragma once

#include <optional>

#include "deviations.h"

namespace vedette {

/** field_robot: level, with the yaw that was given. deviations: x, y, z in metres. */
struct HeadingSolution {
  Pose field_robot, field_camera;
  double deviations[3] = {};
};

/**
 * Finds the place alone. The robot stands level, so that the camera's orientation follows from the yaw and the mount,
 * and a single tag, which shows its own tilt badly, has no mirror image any more. Keeps its buffers.
 */
class HeadingSolver {
 public:
  /**
   * The least reprojection error, each tag by its own noise. Nothing when no place explains the corners: the yaw is far
   * off, or the mount.
   */
  std::optional<HeadingSolution> solve(const Sightings& field_sightings, const Pose& mount, const RobotYaw& yaw,
                                       const Intrinsics& camera);

 private:
  Slopes slopes_;
};

}  // namespace vedette
