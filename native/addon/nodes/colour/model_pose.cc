#include "model_pose.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>

#include "flat_pose.h"

namespace vedette {

namespace {

constexpr size_t MIN_CORNERS = 4, MAX_CORNERS = 12;

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
  if (numbers.size() % 3 != 0)
    refuse("has " + std::to_string(numbers.size()) + " numbers; each corner has three, x, y and z in metres");
  if (count < MIN_CORNERS || count > MAX_CORNERS)
    refuse("has " + std::to_string(count) + " corners; it needs from 4 to 12");
  for (size_t i = 0; i < count; i++) corners_.emplace_back(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  const double area = signed_area(corners_);
  if (std::abs(area) < 1e-8) refuse("has no extent as its viewer sees it: its corners go round in x and y");
  if (area < 0) std::reverse(corners_.begin(), corners_.end());
  is_flat_ = std::all_of(corners_.begin(), corners_.end(),
                         [this](const cv::Point3d& corner) { return corner.z == corners_[0].z; });
}

bool ModelPose::solve(const std::vector<IdealPoints::Point>& seen, const Intrinsics& camera, Pose& camera_model,
                      double& error_px) {
  if (seen.size() != corners_.size() ||
      !std::all_of(seen.begin(), seen.end(), [](const IdealPoints::Point& point) { return point.usable; }))
    return false;
  found_.clear();
  for (size_t turn = 0; turn < corners_.size(); turn++) {
    turn_by(seen, turn);
    try_turn(turn, camera);
  }
  if (found_.empty()) return false;
  const double min_px = std::min_element(found_.begin(), found_.end(), [](const Solution& a, const Solution& b) {
                          return a.error_px < b.error_px;
                        })->error_px;
  Solution* best = nullptr;
  const auto upright = [](const Solution& solution) { return rotate(solution.pose, {1, 0, 0})[0]; };
  for (Solution& solution : found_)
    if (solution.error_px <= min_px + ALIKE_PX && (!best || upright(solution) > upright(*best))) best = &solution;
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

/** Adds the best one of the solutions. */
void ModelPose::try_turn(size_t turn, const Intrinsics& camera) {
  best_ = {{}, INFINITY, turn};
  try {
    if (is_flat_) try_flat(camera);
    else try_solid(camera);
  } catch (const cv::Exception&) {
    return;  // corners on a line, or two in one place
  }
  if (std::isfinite(best_.error_px)) found_.push_back(best_);
}

void ModelPose::take(const Pose& pose, const Intrinsics& camera) {
  const double error_px = is_finite(pose) ? fit_of(sightings_, pose, camera).error_px : INFINITY;
  if (error_px < best_.error_px) best_.pose = pose, best_.error_px = error_px;
}

void ModelPose::try_flat(const Intrinsics& camera) {
  cv::Point3d middle;
  for (const cv::Point3d& corner : corners_) middle += corner / static_cast<double>(corners_.size());
  centred_.clear();
  flat_.clear();
  for (const cv::Point3d& point : sightings_.points) {
    centred_.push_back(point - middle);
    flat_.emplace_back(point.x - middle.x, point.y - middle.y);
  }
  const cv::Mat found = cv::findHomography(flat_, sightings_.seen);
  if (found.empty()) return;
  Homography onto_image;
  std::copy(found.begin<double>(), found.end<double>(), onto_image.m.begin());
  const auto poses = flat_poses(onto_image, centred_, sightings_.seen);
  if (!poses) return;
  for (const Pose& pose : *poses) take(compose(pose, Pose{-middle.x, -middle.y, -middle.z}), camera);
}

void ModelPose::try_solid(const Intrinsics& camera) {
  cv::solvePnPGeneric(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), rotations_, translations_,
                      false, cv::SOLVEPNP_SQPNP);
  for (size_t i = 0; i < rotations_.size(); i++) take(pose_from_opencv(rotations_[i], translations_[i]), camera);
}

void ModelPose::refine(Solution& solution, const Intrinsics& camera) {
  const Pose& found = solution.pose;
  const Mat3 rows = rotation_matrix(found);
  translation_.create(3, 1, CV_64F);
  for (int i = 0; i < 3; i++) translation_.at<double>(i) = i == 0 ? found.x : i == 1 ? found.y : found.z;
  try {
    cv::Rodrigues(cv::Matx33d(rows.data()), rotation_);
    cv::solvePnPRefineLM(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), rotation_,
                         translation_);
  } catch (const cv::Exception&) {
    return;  // it stays as it was found
  }
  const Pose pose = pose_from_opencv(rotation_, translation_);
  const double error_px = is_finite(pose) ? fit_of(sightings_, pose, camera).error_px : INFINITY;
  if (error_px > solution.error_px) return;
  solution.pose = pose;
  solution.error_px = error_px;
}

}  // namespace vedette
