#include "ideal_points.h"

#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr double DEG = 57.295779513082320877;

// The model is inverted by iteration, which can settle on nonsense far outside the part of the picture that was
// calibrated.
constexpr double MAX_ERROR_PX = 0.5;

}  // namespace

IdealPoints::IdealPoints(const Intrinsics& camera)
    : camera_(camera), matrix_(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1) {}

const std::vector<IdealPoints::Point>& IdealPoints::solve() {
  points_.clear();
  if (pixels_.empty()) return points_;
  const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 1e-9);
  cv::undistortPoints(pixels_, ideal_, matrix_, camera_.distortion, cv::noArray(), cv::noArray(), criteria);
  rays_.clear();
  for (const cv::Point2d& point : ideal_) rays_.emplace_back(point.x, point.y, 1);
  cv::projectPoints(rays_, cv::Vec3d(), cv::Vec3d(), matrix_, camera_.distortion, back_);
  // false for NaN
  for (size_t i = 0; i < pixels_.size(); i++)
    points_.push_back({ideal_[i].x, ideal_[i].y, cv::norm(back_[i] - pixels_[i]) < MAX_ERROR_PX});
  return points_;
}

Direction direction_of(const IdealPoints::Point& point) {
  return {std::atan(point.x) * DEG, std::atan(-point.y) * DEG};
}

}  // namespace vedette
