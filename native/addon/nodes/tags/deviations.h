// How far a solved robot pose may be off.
#pragma once

#include "square.h"

namespace vedette {

/** x, y, z in metres, roll, pitch, yaw in radians (R = Rz Ry Rx). */
using PoseVector = std::array<double, 6>;

PoseVector to_vector(const Pose& pose);
Pose from_vector(const PoseVector& vector);

/**
 * ln(chance of the first / chance of the second), as the corners alone tell it, from the misfits of both. The noise itself is known only about, so this
 * is Student's distribution, not the normal one: where neither fits, neither is certain.
 */
double log_odds(double first_misfit, double second_misfit, size_t corners);

/** How the corners move with each part of a pose; kept between frames for its memory alone. */
struct Slopes {
  std::array<std::vector<double>, 6> each;
  std::vector<double> before;
};

/**
 * Variances of the robot's pose on the field: the covariance of a least-squares fit to corners of which each has its own noise, which is what the
 * solver does. More than the noise alone explains is taken from the misfit: a tag that hangs elsewhere than the map says, a lens that is not as
 * calibrated. False when the corners do not fix the pose.
 */
bool pose_variances(const Sightings& field_sightings, const Pose& field_robot, const Pose& robot_optical, const Intrinsics& camera, Slopes& buffers, PoseVector& out);

/** What a second solution of that chance adds to the variances of the first: the squared distance, as often as it is the true one. */
void add_doubt(const Pose& first, const Pose& second, double chance, PoseVector& variances);

}  // namespace vedette
