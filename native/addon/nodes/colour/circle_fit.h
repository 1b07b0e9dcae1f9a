// The circle that an outline follows, where it follows one: also one of which a part is hidden.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "value.h"

namespace vedette {

/**
 * What of an outline counts as part of a circle. tolerance: distance from the circle over its radius, at least a pixel;
 * arc_min: share of the way round that must be there.
 */
struct Roundness {
  double tolerance = 0, arc_min = 0;
};

/** Fits circles by least squares to the pixels of outlines, and again to those that lie near. Keeps its buffers. */
class CircleFitter {
 public:
  /** false where the outline does not follow a circle. */
  bool fit(const Contours& contours, const Contour& row, const Roundness& roundness, Circle& out);

 private:
  void sample(const Contours& contours, const Contour& row);
  double share_of_arc(const Circle& circle, double tolerance_px, int sectors) const;

  std::vector<cv::Point2d> samples_, near_;
};

}  // namespace vedette
