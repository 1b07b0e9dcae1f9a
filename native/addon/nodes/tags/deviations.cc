#include "deviations.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

// The corners' own noise is measured at each tag; this many residuals' worth of trust is put in that, against what the
// misfit says. Seen with it over 219 single tags of a poor camera: where the odds of the second solution were given as
// 38, 20 and 8 in 100, it was the true one in 47, 27 and 12.
constexpr double TRUST = 10;

// Three standard deviations leave out as much anyway: a second solution that is less likely than this is among it, and
// widens nothing.
constexpr double LEFT_OUT = 0.003;

constexpr double STEP = 1e-6;  // metres and radians: moves pixels by a thousandth, far from both rounding and curvature

void project(const Sightings& sightings, const Pose& field_optical, const Intrinsics& camera,
             std::vector<double>& out) {
  const Pose optical_field = invert(field_optical);
  out.clear();
  for (const cv::Point3d& point : sightings.points) {
    const Vec3 p = transform(optical_field, {point.x, point.y, point.z});
    out.push_back(camera.fx * p[0] / p[2]);
    out.push_back(camera.fy * p[1] / p[2]);
  }
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

double misfit_scale(double misfit, size_t coordinates, int unknowns) {
  return (TRUST + misfit) / (TRUST + static_cast<double>(coordinates) - unknowns);
}

double log_odds(double first_misfit, double second_misfit, size_t corners) {
  // the pose itself has used up six: were they counted, one lucky frame would be too sure
  const double spare = 2 * static_cast<double>(corners) - 6;
  return (TRUST + spare) / 2 * std::log((TRUST + second_misfit) / (TRUST + first_misfit));
}

bool pose_variances(const Sightings& sightings, const Pose& field_robot, const Pose& robot_optical,
                    const Intrinsics& camera, Slopes& buffers, PoseVector& out) {
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
  const cv::Matx<double, 6, 6> scattered = corner_scatter<6>(sightings, camera, buffers);

  bool fixed = false;
  const auto inverse = normal.inv(cv::DECOMP_CHOLESKY, &fixed);
  const auto covariance = inverse * scattered * inverse;
  const double scale =
      misfit_scale(fit_of(sightings, invert(compose(field_robot, robot_optical)), camera).misfit, before.size(), 6);
  for (int i = 0; i < 6; i++) out[i] = scale * covariance(i, i);
  return fixed &&
         std::all_of(out.begin(), out.end(), [](double variance) { return variance >= 0 && std::isfinite(variance); });
}

void add_doubt(const Pose& first, const Pose& second, double chance, PoseVector& variances) {
  const PoseVector a = to_vector(first), b = to_vector(second);
  for (int i = 0; i < 6; i++) {
    const double apart = i < 3 ? b[i] - a[i] : std::remainder(b[i] - a[i], 2 * CV_PI);
    variances[i] += std::max(0.0, chance - LEFT_OUT) * apart * apart;
  }
}

}  // namespace vedette
