#include "synthetic_lens.h"

#include <algorithm>
#include <cmath>

namespace vedette {
namespace {

constexpr double NEAREST_M = 0.05;     // points nearer than this, or behind, have no picture
constexpr double WIDEST_RADIUS = 6;    // tangent of 80 degrees off axis: no pinhole lens sees more
constexpr double HALF_WIDTH_DEG = 37.5;

}  // namespace

Intrinsics default_intrinsics(int width, int height) {
  const double focal = width / 2.0 / std::tan(HALF_WIDTH_DEG * M_PI / 180);
  return {true, width, height, focal, focal, (width - 1) / 2.0 + width * 0.005, (height - 1) / 2.0 - height * 0.006, {0.05, -0.08, 0.0005, -0.0004, 0.01}};
}

Intrinsics resized(const Intrinsics& intrinsics, int width, int height) {
  Intrinsics result = intrinsics;
  const double along_x = static_cast<double>(width) / intrinsics.width, along_y = static_cast<double>(height) / intrinsics.height;
  result.width = width;
  result.height = height;
  result.fx *= along_x;
  result.fy *= along_y;
  result.cx = (intrinsics.cx + 0.5) * along_x - 0.5;
  result.cy = (intrinsics.cy + 0.5) * along_y - 0.5;
  return result;
}

Lens::Lens(const Intrinsics& intrinsics) : intrinsics_(intrinsics) {
  std::copy_n(intrinsics.distortion.begin(), std::min<size_t>(8, intrinsics.distortion.size()), k_);
  most_radius_ = one_to_one_radius();

  centre_u_ = intrinsics.cx + 0.5;
  centre_v_ = intrinsics.cy + 0.5;
  const double far_u = std::max(centre_u_, intrinsics.width - centre_u_), far_v = std::max(centre_v_, intrinsics.height - centre_v_);
  per_corner_ = 1 / (far_u * far_u + far_v * far_v);

  columns_ = (intrinsics.width + LATTICE_STEP - 1) / LATTICE_STEP + 1;
  rows_ = (intrinsics.height + LATTICE_STEP - 1) / LATTICE_STEP + 1;
  x_.resize(static_cast<size_t>(columns_) * rows_);
  y_.resize(x_.size());
  for (int row = 0; row < rows_; row++) {
    for (int column = 0; column < columns_; column++) {
      const size_t node = static_cast<size_t>(row) * columns_ + column;
      double x, y;
      undistort((column * LATTICE_STEP - centre_u_) / intrinsics.fx, (row * LATTICE_STEP - centre_v_) / intrinsics.fy, x, y);
      x_[node] = static_cast<float>(x);
      y_[node] = static_cast<float>(y);
    }
  }
}

bool Lens::project(const Vec3& optical, double& u, double& v) const {
  if (optical[2] < NEAREST_M) return false;
  const double x = optical[0] / optical[2], y = optical[1] / optical[2];
  if (x * x + y * y > most_radius_ * most_radius_) return false;
  const Distorted point = distort(x, y);
  u = intrinsics_.fx * point.x + centre_u_;
  v = intrinsics_.fy * point.y + centre_v_;
  return true;
}

Lens::Distorted Lens::distort(double x, double y) const {
  const auto [k1, k2, p1, p2, k3, k4, k5, k6] = k_;
  const double r2 = x * x + y * y;
  const double above = 1 + r2 * (k1 + r2 * (k2 + r2 * k3)), below = 1 + r2 * (k4 + r2 * (k5 + r2 * k6));
  const double radial = above / below;
  const double slope = (k1 + r2 * (2 * k2 + r2 * 3 * k3) - radial * (k4 + r2 * (2 * k5 + r2 * 3 * k6))) / below;  // d radial / d r2
  return {x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
          radial + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x, 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y,
          radial + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x};
}

/** A polynomial folds back on itself somewhere outside the calibrated picture; beyond that radius it would draw things twice. */
double Lens::one_to_one_radius() const {
  double radius = 0;
  for (double last = 0; radius < WIDEST_RADIUS; radius += 0.005) {
    const double r2 = (radius + 0.005) * (radius + 0.005);
    const double below = 1 + r2 * (k_[5] + r2 * (k_[6] + r2 * k_[7]));
    const double next = std::sqrt(r2) * (1 + r2 * (k_[0] + r2 * (k_[1] + r2 * k_[4]))) / below;
    if (below <= 0 || next <= last) break;
    last = next;
  }
  return radius;
}

/** Newton's method, kept inside the one-to-one radius; a pixel that no ray reaches gets the nearest one that exists. */
void Lens::undistort(double distorted_x, double distorted_y, double& x, double& y) const {
  x = distorted_x;
  y = distorted_y;
  for (int round = 0; round < 30; round++) {
    const double radius = std::hypot(x, y);
    if (radius > most_radius_) {
      x *= most_radius_ / radius;
      y *= most_radius_ / radius;
    }
    const Distorted at = distort(x, y);
    const double error_x = at.x - distorted_x, error_y = at.y - distorted_y;
    const double determinant = at.xx * at.yy - at.xy * at.xy;
    if (std::fabs(error_x) + std::fabs(error_y) < 1e-12 || std::fabs(determinant) < 1e-9) return;
    x -= (at.yy * error_x - at.xy * error_y) / determinant;
    y -= (at.xx * error_y - at.xy * error_x) / determinant;
  }
  const double radius = std::hypot(x, y);
  if (radius > most_radius_) {
    x *= most_radius_ / radius;
    y *= most_radius_ / radius;
  }
}

}  // namespace vedette
