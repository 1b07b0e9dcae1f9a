#include "deviations.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

// On the synthetic camera with default noise libapriltag's corners are 0.10 px off (root mean square); the rest is for a real lens. The residuals alone
// would often promise more: four corners have only two to spare.
constexpr double LEAST_SIGMA_PX = 0.15;

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

double corner_deviation_px(double error_px, size_t corners) {
  const double spare = std::max(1.0, 2.0 * static_cast<double>(corners) - 6);
  return std::max(LEAST_SIGMA_PX, error_px * std::sqrt(static_cast<double>(corners) / spare));
}

bool pose_variances(const Sightings& sightings, const Pose& field_robot, const Pose& robot_optical, const Intrinsics& camera, double sigma_px,
                    PoseVector& out) {
  const PoseVector at = to_vector(field_robot);
  std::array<std::vector<double>, 6> slopes;
  std::vector<double> before;
  for (size_t i = 0; i < 6; i++) {
    PoseVector moved = at;
    moved[i] = at[i] - STEP;
    project(sightings, compose(from_vector(moved), robot_optical), camera, before);
    moved[i] = at[i] + STEP;
    project(sightings, compose(from_vector(moved), robot_optical), camera, slopes[i]);
    for (size_t k = 0; k < before.size(); k++) slopes[i][k] = (slopes[i][k] - before[k]) / (2 * STEP);
  }
  cv::Matx<double, 6, 6> information;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (size_t k = 0; k < before.size(); k++) information(i, j) += slopes[i][k] * slopes[j][k];

  bool fixed = false;
  const auto covariance = information.inv(cv::DECOMP_CHOLESKY, &fixed);
  for (int i = 0; i < 6; i++) out[i] = sigma_px * sigma_px * covariance(i, i);
  return fixed && std::all_of(out.begin(), out.end(), [](double variance) { return variance >= 0 && std::isfinite(variance); });
}

void add_doubt(const Pose& first, const Pose& second, double error_px, double second_error_px, double sigma_px, PoseVector& variances) {
  const auto chi2 = [sigma_px](double error) { return 4 * error * error / (sigma_px * sigma_px); };
  const double chance = 1 / (1 + std::exp((chi2(second_error_px) - chi2(error_px)) / 2));
  const PoseVector a = to_vector(first), b = to_vector(second);
  for (int i = 0; i < 6; i++) {
    const double apart = i < 3 ? b[i] - a[i] : std::remainder(b[i] - a[i], 2 * CV_PI);
    variances[i] += chance * apart * apart;
  }
}

}  // namespace vedette
