#include "heading_solver.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

using Column = cv::Vec3d;

constexpr int MAX_STEPS = 8;
constexpr double ARRIVED_M = 1e-6, LOST_M = 0.01;  // of the last step
constexpr double NEAREST_M = 0.01;
constexpr double MIN_SIGMA_PX = 1e-3;

// How level a robot stands, and how exactly its camera was mounted: half a degree, one standard deviation.
constexpr double TILT_RAD = 0.0087;

// Of a tag's side, root mean square: with a yaw that is ten degrees off, corners of tags side by side are a tenth away
// from where they are to be, with one that is turned round a whole one.
constexpr double MAX_SIDES_OFF = 0.25;

// Of any of the three coordinates. OpenCV inverts what has no inverse but for rounding, without a word; the metres by
// which the place is unsure tell that, whatever the lens and the distance.
constexpr double MAX_DEVIATION_M = 2;

cv::Vec3d point_of(const cv::Point3d& point) { return {point.x, point.y, point.z}; }

/** The camera's axes on the field: right, down, forward. */
struct Axes {
  Column right, down, forward;

  explicit Axes(const Pose& field_optical) {
    const Mat3 m = rotation_matrix(field_optical);
    right = {m[0], m[3], m[6]};
    down = {m[1], m[4], m[7]};
    forward = {m[2], m[5], m[8]};
  }
};

/** Where each ray of sight would have to come from, were depth no matter: planes that all contain the camera. */
bool meet(const Sightings& sightings, const Axes& axes, Column& place) {
  cv::Matx33d normal;
  Column sum;
  for (size_t i = 0; i < sightings.points.size(); i++) {
    const Column point = point_of(sightings.points[i]);
    for (const Column& plane :
         {axes.right - sightings.seen[i].x * axes.forward, axes.down - sightings.seen[i].y * axes.forward}) {
      normal += plane * plane.t();
      sum += plane * plane.dot(point);
    }
  }
  bool is_fixed = false;
  place = normal.inv(cv::DECOMP_CHOLESKY, &is_fixed) * sum;
  return is_fixed;
}

/**
 * How the picture of a corner moves with the camera's place, and as the robot turns about each axis of the field; and
 * how far it is from where it was seen. Pixels.
 */
struct Seen {
  Column slope[2], turn[2];
  double off[2];
};

/** False for what lies behind the camera. */
bool look(const Sightings& sightings, size_t i, const Axes& axes, const Column& place, const Intrinsics& camera,
          Seen& out) {
  const Column to = point_of(sightings.points[i]) - place;
  const double depth = axes.forward.dot(to);
  if (!(depth > NEAREST_M)) return false;
  const Column* const across[2] = {&axes.right, &axes.down};
  const double focal[2] = {camera.fx, camera.fy}, seen[2] = {sightings.seen[i].x, sightings.seen[i].y};
  for (int k = 0; k < 2; k++) {
    const double share = across[k]->dot(to) / depth;
    const Column plane = (*across[k] - share * axes.forward) * (focal[k] / depth);
    out.slope[k] = -plane;
    out.turn[k] = -to.cross(plane);  // what is seen turns the other way: -plane . (axis x to)
    out.off[k] = focal[k] * (seen[k] - share);
  }
  return true;
}

double mean_side_px(const Sightings& sightings, const Intrinsics& camera) {
  double sum = 0;
  for (size_t i = 0; i < sightings.seen.size(); i++) {
    const cv::Point2d side = sightings.seen[i] - sightings.seen[i % 4 == 3 ? i - 3 : i + 1];
    sum += std::hypot(camera.fx * side.x, camera.fy * side.y);
  }
  return sum / static_cast<double>(sightings.seen.size());
}

}  // namespace

std::optional<HeadingSolution> HeadingSolver::solve(const Sightings& sightings, const Pose& mount, const RobotYaw& yaw,
                                                    const Intrinsics& camera) {
  const Pose turned = pose_from_euler(0, 0, 0, 0, 0, yaw.yaw_rad);
  const Pose robot_optical = compose(mount, body_optical());
  const Axes axes(compose(turned, robot_optical));
  Column place;
  if (!meet(sightings, axes, place)) return std::nullopt;

  cv::Matx33d inverse;
  cv::Matx33d by_turn;  // a column for each axis
  double misfit = 0, squared_px = 0, last_m = 0;
  for (int step = 0; step < MAX_STEPS; step++) {
    cv::Matx33d normal;
    Column sum;
    by_turn = cv::Matx33d::zeros();
    misfit = squared_px = 0;
    for (int i = 0; i < 3; i++) slopes_.each[i].clear();
    for (size_t i = 0; i < sightings.points.size(); i++) {
      Seen seen;
      if (!look(sightings, i, axes, place, camera, seen)) return std::nullopt;
      const double sigma_px = std::max(sightings.sigma_px[i], MIN_SIGMA_PX), weight = 1 / (sigma_px * sigma_px);
      for (int k = 0; k < 2; k++) {
        const Column weighted = weight * seen.slope[k];
        normal += weighted * seen.slope[k].t();
        sum += weighted * seen.off[k];
        by_turn += weighted * seen.turn[k].t();
        squared_px += seen.off[k] * seen.off[k];
        misfit += weight * seen.off[k] * seen.off[k];
        for (int axis = 0; axis < 3; axis++) slopes_.each[axis].push_back(weighted[axis]);
      }
    }
    bool is_fixed = false;
    inverse = normal.inv(cv::DECOMP_CHOLESKY, &is_fixed);
    if (!is_fixed) return std::nullopt;
    const Column move = inverse * sum;
    last_m = cv::norm(move);
    if (last_m < ARRIVED_M) break;
    place += move;
  }
  const double corners = static_cast<double>(sightings.points.size());
  if (!(last_m < LOST_M && std::sqrt(squared_px / corners) < MAX_SIDES_OFF * mean_side_px(sightings, camera)))
    return std::nullopt;

  HeadingSolution out;
  const Vec3 arm = rotate(turned, {mount.x, mount.y, mount.z});
  out.field_robot = {place[0] - arm[0], place[1] - arm[1], place[2] - arm[2], turned.qw,
                     turned.qx,         turned.qy,         turned.qz};
  out.field_camera = normalized(compose(out.field_robot, mount));
  const cv::Matx33d covariance = inverse * corner_scatter<3>(sightings, camera, slopes_) * inverse;
  const double scale = misfit_scale(misfit, 2 * sightings.points.size(), 3);
  // columns: each axis times the arm
  const cv::Matx33d arm_turns{0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0};
  const cv::Matx33d turns = -(inverse * by_turn) - arm_turns;
  for (int i = 0; i < 3; i++) {
    const double tilt = std::hypot(turns(i, 0), turns(i, 1)) * TILT_RAD, turn = turns(i, 2) * yaw.sigma_rad;
    out.deviations[i] = std::sqrt(scale * covariance(i, i) + tilt * tilt + turn * turn);
  }
  if (!is_finite(out.field_robot)) return std::nullopt;
  for (const double deviation : out.deviations)
    if (!(deviation <= MAX_DEVIATION_M)) return std::nullopt;
  return out;
}

}  // namespace vedette
