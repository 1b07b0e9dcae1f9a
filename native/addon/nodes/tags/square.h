// Poses of one printed square, and how well a pose explains corners. Shared by the nodes that solve poses.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "node.h"
#include "pose_math.h"

namespace vedette {

/** The corners of a tag in its own frame (x right, y down, z into the tag), in libapriltag's order. */
std::array<Vec3, 4> square_corners(double size_m);

/**
 * Points, where they were seen on the ideal image plane, and how exactly: the standard deviation of one coordinate in
 * pixels.
 */
struct Sightings {
  std::vector<cv::Point3d> points;
  std::vector<cv::Point2d> seen;
  std::vector<double> sigma_px;

  void clear();
  /** Adds a tag's corners; frame_tag: the tag (x right, y down, z into the tag) in the frame of the points. */
  void add(const TagPoints& tag, const Pose& frame_tag, double size_m);
};

/**
 * How well a pose explains where corners were seen; both infinite when one is behind the camera. error_px: root mean
 * square distance from where the pose puts them, in pixels of an ideal camera. misfit: the sum of the squared
 * residuals, each over its own variance; with the right pose about as much as there are coordinates to spare, two for
 * each corner less six.
 */
struct Fit {
  double error_px = 0, misfit = 0;
};
Fit fit_of(const Sightings& sightings, const Pose& optical_frame, const Intrinsics& camera);

/** A pose from OpenCV's rotation vector and translation. */
Pose pose_from_opencv(const cv::Mat& rotation_vector, const cv::Mat& translation);

/** Every number is finite. */
bool is_finite(const Pose& pose);

/** Solves both poses of single tags; keeps its buffers. */
class SquareSolver {
 public:
  /**
   * False when there is no solution in front of the camera. `out`: better solution first, errors in pixels of an ideal
   * camera; one solution alone stands twice, with ambiguity 0.
   */
  bool solve(const TagPoints& tag, double size_m, const Intrinsics& camera, TagPose& out);

 private:
  Sightings sightings_;
};

}  // namespace vedette
