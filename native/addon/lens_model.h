// What a lens does to the picture of an ideal camera: OpenCV's distortion, there and back.
#pragma once

#include <algorithm>
#include <cmath>

#include "frame.h"

namespace vedette {

/** Points of the ideal image plane (x = X/Z, y = Y/Z) to where the lens puts them, and back. */
class LensModel {
 public:
  explicit LensModel(const Intrinsics& intrinsics) {
    std::copy_n(intrinsics.distortion.begin(), std::min<size_t>(8, intrinsics.distortion.size()), k_);
    max_radius_ = one_to_one_radius();
  }

  struct Distorted {
    double x, y, xx, xy, yy;  // the point, and the derivatives d x / d x, d x / d y (= d y / d x), d y / d y
  };

  Distorted distort(double x, double y) const {
    const auto [k1, k2, p1, p2, k3, k4, k5, k6] = k_;
    const double r2 = x * x + y * y;
    const double above = 1 + r2 * (k1 + r2 * (k2 + r2 * k3)), below = 1 + r2 * (k4 + r2 * (k5 + r2 * k6));
    const double radial = above / below;
    // d radial / d r2
    const double slope = (k1 + r2 * (2 * k2 + r2 * 3 * k3) - radial * (k4 + r2 * (2 * k5 + r2 * 3 * k6))) / below;
    return {x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
            radial + 2 * x * x * slope + 2 * p1 * y + 6 * p2 * x, 2 * x * y * slope + 2 * p1 * x + 2 * p2 * y,
            radial + 2 * y * y * slope + 6 * p1 * y + 2 * p2 * x};
  }

  /**
   * Newton's method, kept inside the one-to-one radius; a place that no ray reaches gets the nearest one that exists.
   */
  void undistort(double distorted_x, double distorted_y, double& x, double& y) const {
    x = distorted_x;
    y = distorted_y;
    for (int round = 0; round < 30; round++) {
      keep_inside(x, y);
      const Distorted at = distort(x, y);
      const double error_x = at.x - distorted_x, error_y = at.y - distorted_y;
      const double determinant = at.xx * at.yy - at.xy * at.xy;
      if (std::fabs(error_x) + std::fabs(error_y) < 1e-12 || std::fabs(determinant) < 1e-9) return;
      x -= (at.yy * error_x - at.xy * error_y) / determinant;
      y -= (at.xx * error_y - at.xy * error_x) / determinant;
    }
    keep_inside(x, y);
  }

  /**
   * A polynomial folds back on itself somewhere outside the calibrated picture; beyond that radius it would show things
   * twice.
   */
  bool is_one_to_one(double x, double y) const { return x * x + y * y <= max_radius_ * max_radius_; }

  /** It bends nothing. */
  bool is_straight() const {
    return std::all_of(std::begin(k_), std::end(k_), [](double k) { return k == 0; });
  }

 private:
  static constexpr double WIDEST_RADIUS = 6;  // tangent of 80 degrees off axis: no pinhole lens sees more

  double one_to_one_radius() const {
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

  void keep_inside(double& x, double& y) const {
    const double radius = std::hypot(x, y);
    if (radius <= max_radius_) return;
    x *= max_radius_ / radius;
    y *= max_radius_ / radius;
  }

  double k_[8] = {};  // k1 k2 p1 p2 k3 k4 k5 k6
  double max_radius_ = 0;
};

}  // namespace vedette
