// Where the synthetic robot is at any time: a pure function of the seconds since the start, or of the clock.
#pragma once

#include <functional>

#include "frame.h"
#include "source.h"
#include "synthetic_lens.h"

namespace vedette {

/**
 * field_robot after so many seconds: since the start, or since the zero of the clock for a drive. The robot stands on
 * the floor and turns freely.
 */
using Trajectory = std::function<Pose(double seconds)>;

/** By options.motion: patrol, orbit, drive or still. The seed shifts where the motion begins. */
Trajectory make_trajectory(const SyntheticOptions& options, const Lens& lens);

/** A closed smooth curve over the field, looking to where tags are. */
Trajectory patrol(const SyntheticOptions& options, const Lens& lens);

/** Swings about 3 m in front of a group of tags, so that all of them stay in view. */
Trajectory orbit(const SyntheticOptions& options, const Lens& lens);

/**
 * From place to place, turning meanwhile and standing now and then: at most 4 m/s2 and 360 degrees/s2, a metre from the
 * walls where they are that far apart. By options.drive and the size of the field alone, so that many have the same.
 */
Trajectory drive(const SyntheticOptions& options);

/** Where the robot must stand so that its camera is above (x, y) and looks along `yaw` (radians). */
Pose robot_below_camera(const Pose& mount, double x, double y, double yaw);

/**
 * How well a tag shows: 0 when any corner is out of the picture or its back is turned, 1 when it is near and faced
 * squarely.
 */
double view_quality(const Lens& lens, const Pose& field_camera, const Pose& field_tag, double tag_size_m);

}  // namespace vedette
