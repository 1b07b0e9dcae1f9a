#include "square.h"

#include <cmath>
#include <limits>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "flat_pose.h"
#include "homography.h"

namespace vedette {

std::array<Vec3, 4> square_corners(double size_m) {
  const double half = size_m / 2;
  return {{{-half, half, 0}, {half, half, 0}, {half, -half, 0}, {-half, -half, 0}}};
}

void Sightings::clear() {
  points.clear();
  seen.clear();
  sigma_px.clear();
}

void Sightings::add(const TagPoints& tag, const Pose& frame_tag, double size_m) {
  const auto corners = square_corners(size_m);
  for (int i = 0; i < 4; i++) {
    const Vec3 point = transform(frame_tag, corners[i]);
    points.emplace_back(point[0], point[1], point[2]);
    seen.emplace_back(tag.corners[i][0], tag.corners[i][1]);
    sigma_px.push_back(tag.sigma_px);
  }
}

Fit fit_of(const Sightings& sightings, const Pose& optical_frame, const Intrinsics& camera) {
  constexpr double BEHIND = std::numeric_limits<double>::infinity();
  double squared_px = 0;
  Fit fit;
  for (size_t i = 0; i < sightings.points.size(); i++) {
    const cv::Point3d& point = sightings.points[i];
    const Vec3 p = transform(optical_frame, {point.x, point.y, point.z});
    if (!(p[2] > 0)) return {BEHIND, BEHIND};
    const double dx = camera.fx * (p[0] / p[2] - sightings.seen[i].x),
                 dy = camera.fy * (p[1] / p[2] - sightings.seen[i].y);
    squared_px += dx * dx + dy * dy;
    fit.misfit += (dx * dx + dy * dy) / (sightings.sigma_px[i] * sightings.sigma_px[i]);
  }
  fit.error_px = std::sqrt(squared_px / static_cast<double>(sightings.points.size()));
  return fit;
}

Pose pose_from_opencv(const cv::Mat& rotation_vector, const cv::Mat& translation) {
  cv::Matx33d rotation;
  cv::Rodrigues(rotation_vector, rotation);
  Mat3 rows;
  std::copy(rotation.val, rotation.val + 9, rows.begin());
  return pose_from_matrix(rows, {translation.at<double>(0), translation.at<double>(1), translation.at<double>(2)});
}

namespace {

/** Of the tag's x and y in metres onto the ideal image plane. */
std::optional<Homography> square_map(const TagPoints& tag, double size_m, const Intrinsics& camera) {
  double pixels[4][2];  // in the order of a homography, which asks for corners some pixels apart
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 2; axis++) pixels[i][axis] = camera.fx * tag.corners[3 - i][axis];
  std::optional<Homography> map = homography_onto(pixels);
  if (!map) return {};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) {
      if (column < 2) map->m[3 * row + column] *= 2 / size_m;
      if (row < 2) map->m[3 * row + column] /= camera.fx;
    }
  return map;
}

}  // namespace

bool is_finite(const Pose& pose) {
  return std::isfinite(pose.x + pose.y + pose.z + pose.qw + pose.qx + pose.qy + pose.qz);
}

bool SquareSolver::solve(const TagPoints& tag, double size_m, const Intrinsics& camera, TagPose& out) {
  sightings_.clear();
  sightings_.add(tag, Pose{}, size_m);
  const std::optional<Homography> onto_image = square_map(tag, size_m, camera);
  const auto poses = onto_image ? flat_poses(*onto_image, sightings_.points, sightings_.seen) : std::nullopt;
  if (!poses) return false;  // corners on a line, or two in one place
  struct Solution {
    Pose pose;
    double error_px;
  };
  std::array<Solution, 2> found;
  size_t count = 0;
  for (const Pose& pose : *poses) {
    const double error_px = fit_of(sightings_, pose, camera).error_px;
    if (is_finite(pose) && std::isfinite(error_px)) found[count++] = {pose, error_px};
  }
  if (count == 0) return false;
  if (count == 2 && found[1].error_px < found[0].error_px) std::swap(found[0], found[1]);
  const Solution& second = found[count - 1];
  out = {tag.family, tag.id, 0, found[0].error_px, second.error_px, found[0].pose, second.pose};
  if (count == 2) out.ambiguity = second.error_px > 0 ? found[0].error_px / second.error_px : 1;
  return true;
}

}  // namespace vedette
