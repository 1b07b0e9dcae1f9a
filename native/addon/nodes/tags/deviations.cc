#include "deviations.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

// The corners' own noise is measured at each tag; this many residuals' worth of trust is put in that, against what the misfit says. Seen with it over 219
// single tags of a poor camera: where the odds of the second solution were given as 38, 20 and 8 in 100, it was the true one in 47, 27 and 12.
constexpr double TRUST = 10;

// Three standard deviations leave out as much anyway: a second solution that is less likely than this is among it, and widens nothing.
constexpr double LEFT_OUT = 0.003;

constexpr double STEP = 1e-6;  // metres and radians: moves pixels by a thousandth, far from both rounding and curvature

void project(const Sightings& sightings, const Pose& field_optical, const Intrinsics& camera, std::vector<double>& out) {
  const Pose optical_field = invert(field_optical);
  out.clear();
  for (const cv::Point3d& point : sightings.points) {
    const Vec3 p = transform(optical_field, {point.x, point.y, point.z});
    out.push_back(camera.fx * p[0] / p[2]);
    out.push_back(camera.fy * p[1] / p[2]);
  }
}

/**
 * What the corners' noise does to J^T times the residuals: its covariance. Corners are where edges meet, and an edge that was fitted too far out, or
 * tilted, takes both of its corners along; so each edge is followed, with the variance that a straight fit has at its ends: a quarter from its place and
 * three quarters from its tilt. Were corners independent, a tag's size would come out surer than its turn, which is the wrong way round.
 */
cv::Matx<double, 6, 6> scatter(const Sightings& sightings, const Intrinsics& camera, const std::array<std::vector<double>, 6>& slopes) {
  cv::Matx<double, 6, 6> sum;
  for (size_t first = 0; first + 4 <= sightings.seen.size(); first += 4) {
    std::array<cv::Point2d, 4> corner, along;
    for (size_t k = 0; k < 4; k++) corner[k] = {camera.fx * sightings.seen[first + k].x, camera.fy * sightings.seen[first + k].y};
    for (size_t k = 0; k < 4; k++) along[k] = (corner[(k + 1) % 4] - corner[k]) / cv::norm(corner[(k + 1) % 4] - corner[k]);
    const double place_px = sightings.sigma_px[first] / 2, tilt_px = place_px * std::sqrt(3.0);
    for (size_t k = 0; k < 4; k++) {
      const cv::Point2d normal(along[k].y, -along[k].x);
      const size_t ends[2] = {k, (k + 1) % 4};
      const cv::Point2d other[2] = {along[(k + 3) % 4], along[(k + 1) % 4]};  // the edges along which the two corners slide
      for (const bool tilts : {false, true}) {
        cv::Vec<double, 6> moved;
        for (int end = 0; end < 2; end++) {
          const cv::Point2d way = other[end] * ((tilts ? (end == 0 ? -tilt_px : tilt_px) : place_px) / normal.dot(other[end]));
          const size_t row = 2 * (first + ends[end]);
          for (int i = 0; i < 6; i++) moved[i] += slopes[i][row] * way.x + slopes[i][row + 1] * way.y;
        }
        sum += moved * moved.t();
      }
    }
  }
  return sum;
}

}  // namespace

PoseVector to_vector(const Pose& p) {
  return {p.x,
          p.y,
          p.z,
          std::atan2(2 * (p.qw * p.qx + p.qy * p.qz), 1 - 2 * (p.qx * p.qx + p.qy * p.qy)),
          std::asin(std::clamp(2 * (p.qw * p.qy - p.qz * p.qx), -1.0, 1.0)),
          std::atan2(2 * (p.qw * p.qz + p.qx * p.qy), 1 - 2 * (p.qy * p.qy + p.qz * p.qz))};
}

Pose from_vector(const PoseVector& v) { return pose_from_euler(v[0], v[1], v[2], v[3], v[4], v[5]); }

double log_odds(double first_misfit, double second_misfit, size_t corners) {
  const double spare = 2 * static_cast<double>(corners) - 6;  // the pose itself has used up six: were they counted, one lucky frame would be too sure
  return (TRUST + spare) / 2 * std::log((TRUST + second_misfit) / (TRUST + first_misfit));
}

bool pose_variances(const Sightings& sightings, const Pose& field_robot, const Pose& robot_optical, const Intrinsics& camera, Slopes& buffers, PoseVector& out) {
  const PoseVector at = to_vector(field_robot);
  auto& [slopes, before] = buffers;
  for (size_t i = 0; i < 6; i++) {
    PoseVector moved = at;
    moved[i] = at[i] - STEP;
    project(sightings, compose(from_vector(moved), robot_optical), camera, before);
    moved[i] = at[i] + STEP;
    project(sightings, compose(from_vector(moved), robot_optical), camera, slopes[i]);
    for (size_t k = 0; k < before.size(); k++) slopes[i][k] = (slopes[i][k] - before[k]) / (2 * STEP);
  }
  cv::Matx<double, 6, 6> normal;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (size_t k = 0; k < before.size(); k++) normal(i, j) += slopes[i][k] * slopes[j][k];
  const cv::Matx<double, 6, 6> scattered = scatter(sightings, camera, slopes);

  bool fixed = false;
  const auto inverse = normal.inv(cv::DECOMP_CHOLESKY, &fixed);
  const auto covariance = inverse * scattered * inverse;
  const double spare = static_cast<double>(before.size()) - 6;
  const double scale = (TRUST + fit_of(sightings, invert(compose(field_robot, robot_optical)), camera).misfit) / (TRUST + spare);
  for (int i = 0; i < 6; i++) out[i] = scale * covariance(i, i);
  return fixed && std::all_of(out.begin(), out.end(), [](double variance) { return variance >= 0 && std::isfinite(variance); });
}

void add_doubt(const Pose& first, const Pose& second, double chance, PoseVector& variances) {
  const PoseVector a = to_vector(first), b = to_vector(second);
  for (int i = 0; i < 6; i++) {
    const double apart = i < 3 ? b[i] - a[i] : std::remainder(b[i] - a[i], 2 * CV_PI);
    variances[i] += std::max(0.0, chance - LEFT_OUT) * apart * apart;
  }
}

}  // namespace vedette
