// Places in the picture on the ideal image plane, for nodes that say in which direction something lies.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "frame.h"

namespace vedette {

/**
 * Takes pixels to the ideal image plane, some at once; keeps its buffers. Pixels: continuous, of the full source
 * picture (first pixel's centre = 0.5).
 */
class IdealPoints {
 public:
  /** usable: false where the model of the lens cannot be inverted. */
  struct Point {
    double x = 0, y = 0;
    bool usable = false;
  };

  explicit IdealPoints(const Intrinsics& camera);

  /** Whether the camera is calibrated, for pictures of this size. Without, nothing can be solved. */
  bool know(const Frame& frame) const {
    return camera_.known && camera_.width == frame.width && camera_.height == frame.height;
  }

  void clear() { pixels_.clear(); }
  void add(double x_px, double y_px) { pixels_.emplace_back(x_px - 0.5, y_px - 0.5); }
  /** All that were added, in their order; until the next call. */
  const std::vector<Point>& solve();

  const Intrinsics& camera() const { return camera_; }

 private:
  const Intrinsics camera_;
  cv::Matx33d matrix_;
  std::vector<cv::Point2d> pixels_, ideal_, back_;
  std::vector<cv::Point3d> rays_;
  std::vector<Point> points_;
};

/** Degrees right of and above the optical axis. */
struct Direction {
  double tx_deg = 0, ty_deg = 0;
};
Direction direction_of(const IdealPoints::Point& point);

/**
 * Of rows that have a centre, in which direction it lies. Those where the model of the lens does not hold are left out:
 * 0 degrees would say that the robot is aimed at them.
 */
template <typename Row>
void set_directions(std::vector<Row>& rows, IdealPoints& ideal) {
  ideal.clear();
  for (const Row& row : rows) ideal.add(row.center[0], row.center[1]);
  const auto& points = ideal.solve();
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); i++) {
    if (!points[i].usable) continue;
    const Direction direction = direction_of(points[i]);
    Row& row = rows[kept++] = rows[i];
    row.tx_deg = direction.tx_deg;
    row.ty_deg = direction.ty_deg;
  }
  rows.resize(kept);
}

}  // namespace vedette
