// Where something flat is, from how it is seen.
#pragma once

#include <array>
#include <opencv2/core/types.hpp>
#include <optional>
#include <vector>

#include "homography.h"
#include "pose_math.h"

namespace vedette {

/**
 * The two poses that explain how a plane is seen about its origin: tilted to one side and to the other (IPPE: Collins
 * and Bartoli, Infinitesimal plane-based pose estimation, 2014). In closed form and without exceptions: a plane faced
 * squarely has one pose twice, whichever way it is turned. None where nothing of it is seen.
 *
 * onto_image: of the plane's x and y, metres, to the ideal image plane. points, seen: of the plane, z = 0, and where
 * they are seen there, from which its distance is taken. What lies behind the camera is for the caller to refuse.
 */
std::optional<std::array<Pose, 2>> flat_poses(const Homography& onto_image, const std::vector<cv::Point3d>& points,
                                              const std::vector<cv::Point2d>& seen);

}  // namespace vedette
