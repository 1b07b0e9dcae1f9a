// How far a solved robot pose may be off.
#pragma once

#include "square.h"

namespace vedette {

/** x, y, z in metres, roll, pitch, yaw in radians (R = Rz Ry Rx). */
using PoseVector = std::array<double, 6>;

PoseVector to_vector(const Pose& pose);
Pose from_vector(const PoseVector& vector);

/** The standard deviation of one corner coordinate, in pixels, as the residuals tell it, but never below what libapriltag's corners have shown. */
double corner_deviation_px(double error_px, size_t corners);

/**
 * Variances of the robot's pose on the field: the diagonal of sigma² (J^T J)^-1, J being the derivative of the corners' pixels by the six numbers of
 * the pose. This is the covariance of a least-squares fit to corners with independent noise sigma, which is what the solver does. False when the
 * corners do not fix the pose.
 */
bool pose_variances(const Sightings& field_sightings, const Pose& field_robot, const Pose& robot_optical, const Intrinsics& camera, double sigma_px,
                    PoseVector& out);

/**
 * What the second solution of a single tag adds to the variances of the first: w d², d being their difference and w = 1 / (1 + exp((chi2' - chi2) / 2))
 * the chance that the second is the true one. Clear tags add nothing, wholly ambiguous ones half of the squared distance.
 */
void add_doubt(const Pose& first, const Pose& second, double error_px, double second_error_px, double sigma_px, PoseVector& variances);

}  // namespace vedette
