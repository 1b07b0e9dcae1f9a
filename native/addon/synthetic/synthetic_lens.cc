#include "synthetic_lens.h"

#include <algorithm>
#include <cmath>

namespace vedette {
namespace {

constexpr double NEAREST_M = 0.05;  // points nearer than this, or behind, have no picture
constexpr double HALF_WIDTH_DEG = 37.5;

}  // namespace

Intrinsics default_intrinsics(int width, int height) {
  const double focal = width / 2.0 / std::tan(HALF_WIDTH_DEG * M_PI / 180);
  return {true,
          width,
          height,
          focal,
          focal,
          (width - 1) / 2.0 + width * 0.005,
          (height - 1) / 2.0 - height * 0.006,
          {0.05, -0.08, 0.0005, -0.0004, 0.01}};
}

Intrinsics resized(const Intrinsics& intrinsics, int width, int height) {
  Intrinsics result = intrinsics;
  const double along_x = static_cast<double>(width) / intrinsics.width,
               along_y = static_cast<double>(height) / intrinsics.height;
  result.width = width;
  result.height = height;
  result.fx *= along_x;
  result.fy *= along_y;
  result.cx = (intrinsics.cx + 0.5) * along_x - 0.5;
  result.cy = (intrinsics.cy + 0.5) * along_y - 0.5;
  return result;
}

Lens::Lens(const Intrinsics& intrinsics) : intrinsics_(intrinsics), model_(intrinsics) {
  centre_u_ = intrinsics.cx + 0.5;
  centre_v_ = intrinsics.cy + 0.5;
  const double far_u = std::max(centre_u_, intrinsics.width - centre_u_),
               far_v = std::max(centre_v_, intrinsics.height - centre_v_);
  per_corner_ = 1 / (far_u * far_u + far_v * far_v);

  columns_ = (intrinsics.width + LATTICE_STEP - 1) / LATTICE_STEP + 1;
  rows_ = (intrinsics.height + LATTICE_STEP - 1) / LATTICE_STEP + 1;
  x_.resize(static_cast<size_t>(columns_) * rows_);
  y_.resize(x_.size());
  for (int row = 0; row < rows_; row++) {
    for (int column = 0; column < columns_; column++) {
      const size_t node = static_cast<size_t>(row) * columns_ + column;
      double x, y;
      model_.undistort((column * LATTICE_STEP - centre_u_) / intrinsics.fx,
                       (row * LATTICE_STEP - centre_v_) / intrinsics.fy, x, y);
      x_[node] = static_cast<float>(x);
      y_[node] = static_cast<float>(y);
    }
  }
}

bool Lens::project(const Vec3& optical, double& u, double& v) const {
  if (optical[2] < NEAREST_M) return false;
  const double x = optical[0] / optical[2], y = optical[1] / optical[2];
  if (!model_.is_one_to_one(x, y)) return false;
  const LensModel::Distorted point = model_.distort(x, y);
  u = intrinsics_.fx * point.x + centre_u_;
  v = intrinsics_.fy * point.y + centre_v_;
  return true;
}

}  // namespace vedette
