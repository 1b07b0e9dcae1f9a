// Outlines as polygons with few corners, and these to fractions of a pixel.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "value.h"

namespace vedette {

/**
 * Approximates outlines by polygons. An outline runs through the centres of pixels, in steps; an edge is the line that
 * fits all of its steps best, moved outwards by as much as these lie within on average, and a corner is where two edges
 * meet. Keeps its buffers.
 */
class PolygonFitter {
 public:
  /**
   * tolerance_share: how far the outline may be from the polygon, in perimeters of the outline. Corners in pixels of
   * the source, clockwise as seen, from that nearest to the top left; none where the outline is no polygon, or one with
   * fewer or more corners than are of use.
   */
  const std::vector<cv::Point2d>& fit(const Contours& contours, const Contour& row, double tolerance_share,
                                      size_t least, size_t most);

 private:
  struct Line {
    cv::Point2d point, along;
  };
  bool find_corners(const Contours& contours, const Contour& row, double tolerance_px);
  void split(const Contours::Point* outline, size_t count);
  static size_t nearest(const Contours::Point* outline, size_t count, const cv::Point2d& corner, size_t from,
                        size_t steps);
  Line edge_from(size_t corner, const Contours::Point* outline, size_t count, double outwards_px) const;

  std::vector<cv::Point2f> approximated_;
  std::vector<size_t> at_, before_;
  std::vector<Line> edges_;
  std::vector<cv::Point2d> corners_;
};

}  // namespace vedette
