// The lens of the synthetic camera: points of the optical frame to pixels, and pixels back to rays.
#pragma once

#include <vector>

#include "frame.h"
#include "lens_model.h"
#include "pose_math.h"

namespace vedette {

/**
 * What the synthetic camera has when nobody names intrinsics: 75 degrees wide, square pixels, slightly off centre, a
 * little distorted.
 */
Intrinsics default_intrinsics(int width, int height);

/** The same lens behind a picture of another size; unchanged when the size is the same. */
Intrinsics resized(const Intrinsics& intrinsics, int width, int height);

/**
 * OpenCV's pinhole and distortion. Pixels here are continuous: the first pixel's centre is (0.5, 0.5).
 *
 * Rays are looked up in a lattice with a node every LATTICE_STEP pixels, bilinear in between: off by less than 0.001 px
 * for a usual lens.
 */
class Lens {
 public:
  static constexpr int LATTICE_STEP = 4;

  explicit Lens(const Intrinsics& intrinsics);

  const Intrinsics& intrinsics() const { return intrinsics_; }

  /**
   * Where a point of the optical frame falls. False when it is behind the camera or beyond the radius up to which the
   * distortion is one to one.
   */
  bool project(const Vec3& optical, double& u, double& v) const;

  /** The ray (x, y, 1) of lattice node (column, row), that is of pixel (column * LATTICE_STEP, row * LATTICE_STEP). */
  const float* lattice_x(int row) const { return &x_[static_cast<size_t>(row) * columns_]; }
  const float* lattice_y(int row) const { return &y_[static_cast<size_t>(row) * columns_]; }
  int lattice_columns() const { return columns_; }

  /** Square of the distance to the principal point as a share of the farthest corner's: 0 to 1. */
  double fall_off(double u, double v) const {
    return ((u - centre_u_) * (u - centre_u_) + (v - centre_v_) * (v - centre_v_)) * per_corner_;
  }

 private:
  Intrinsics intrinsics_;
  LensModel model_;
  double centre_u_ = 0, centre_v_ = 0, per_corner_ = 0;
  int columns_ = 0, rows_ = 0;
  std::vector<float> x_, y_;
};

}  // namespace vedette
