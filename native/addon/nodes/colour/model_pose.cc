#include "model_pose.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>

namespace vedette {

namespace {

constexpr size_t LEAST_CORNERS = 4, MOST_CORNERS = 12;

/** Solutions whose errors differ by less fit alike: corners are not seen more exactly. */
constexpr double ALIKE_PX = 0.5;

double signed_area(const std::vector<cv::Point3d>& corners) {
  double twice = 0;
  for (size_t i = 0; i < corners.size(); i++) {
    const cv::Point3d &a = corners[i], &b = corners[(i + 1) % corners.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

[[noreturn]] void refuse(const std::string& why) { throw Fault{"engine.bad_task", "the model of a target " + why}; }

}  // namespace

ModelPose::ModelPose(const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  const size_t count = numbers.size() / 3;
  if (numbers.size() % 3 != 0) refuse("has " + std::to_string(numbers.size()) + " numbers; each corner has three, x, y and z in metres");
  if (count < LEAST_CORNERS || count > MOST_CORNERS) refuse("has " + std::to_string(count) + " corners; it needs from 4 to 12");
  for (size_t i = 0; i < count; i++) corners_.emplace_back(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  const double area = signed_area(corners_);
  if (std::abs(area) < 1e-8) refuse("has no extent as its viewer sees it: its corners go round in x and y");
  if (area < 0) std::reverse(corners_.begin(), corners_.end());
  is_flat_ = std::all_of(corners_.begin(), corners_.end(), [this](const cv::Point3d& corner) { return corner.z == corners_[0].z; });
}

bool ModelPose::solve(const std::vector<IdealPoints::Point>& seen, const Intrinsics& camera, Pose& camera_model, double& error_px) {
  if (seen.size() != corners_.size() || !std::all_of(seen.begin(), seen.end(), [](const IdealPoints::Point& point) { return point.usable; })) return false;
  found_.clear();
  for (size_t turn = 0; turn < corners_.size(); turn++) {
    turn_by(seen, turn);
    try_turn(turn, camera);
  }
  if (found_.empty()) return false;
  const double least_px = std::min_element(found_.begin(), found_.end(), [](const Solution& a, const Solution& b) { return a.error_px < b.error_px; })->error_px;
  Solution* best = nullptr;
  const auto upright = [](const Solution& solution) { return rotate(solution.pose, {1, 0, 0})[0]; };
  for (Solution& solution : found_)
    if (solution.error_px <= least_px + ALIKE_PX && (!best || upright(solution) > upright(*best))) best = &solution;
  turn_by(seen, best->turn);
  refine(*best, camera);
  camera_model = best->pose;
  error_px = best->error_px;
  return true;
}

/** The model's corner `turn` is taken for the first that was seen. */
void ModelPose::turn_by(const std::vector<IdealPoints::Point>& seen, size_t turn) {
  sightings_.clear();
  for (size_t i = 0; i < seen.size(); i++) {
    sightings_.points.push_back(corners_[(i + turn) % corners_.size()]);
    sightings_.seen.emplace_back(seen[i].x, seen[i].y);
    sightings_.sigma_px.push_back(1);
  }
}

/** Adds the better one of the solutions. */
void ModelPose::try_turn(size_t turn, const Intrinsics& camera) {
  try {
    cv::solvePnPGeneric(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), rotations_, translations_, false, is_flat_ ? cv::SOLVEPNP_IPPE : cv::SOLVEPNP_SQPNP);
  } catch (const cv::Exception&) {
    return;  // corners on a line, or two in one place
  }
  Solution best;
  best.error_px = INFINITY;
  for (size_t i = 0; i < rotations_.size(); i++) {
    const Pose pose = pose_from_opencv(rotations_[i], translations_[i]);
    const double error_px = is_finite(pose) ? fit_of(sightings_, pose, camera).error_px : INFINITY;
    if (error_px < best.error_px) best = {pose, rotations_[i].clone(), translations_[i].clone(), error_px, turn};
  }
  if (std::isfinite(best.error_px)) found_.push_back(best);
}

void ModelPose::refine(Solution& solution, const Intrinsics& camera) {
  try {
    cv::solvePnPRefineLM(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), solution.rotation, solution.translation);
  } catch (const cv::Exception&) {
    return;  // it stays as it was found
  }
  const Pose pose = pose_from_opencv(solution.rotation, solution.translation);
  const double error_px = is_finite(pose) ? fit_of(sightings_, pose, camera).error_px : INFINITY;
  if (error_px > solution.error_px) return;
  solution.pose = pose;
  solution.error_px = error_px;
}

}  // namespace vedette
