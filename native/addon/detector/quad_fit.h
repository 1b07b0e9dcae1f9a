// The quadrilateral that a border may be.
#pragma once

#include <vector>

#include "borders.h"
#include "grey_view.h"
#include "line_sums.h"
#include "point_order.h"

namespace vedette {

/** Four corners, clockwise on the screen. Pixels. is_black_inside: else white within black. */
struct Quad {
  double corners[4][2];
  bool is_black_inside;
};

/** Whether a border has points enough and room for a tag. least_side_px: of the smallest one. */
bool may_be_quad(const Border& border, double least_side_px);

/**
 * Fits quadrilaterals, as libapriltag 3.3 does: corners are where lines through the points on either side are worst, and of those the four between which lines are best.
 * Keeps its memory between borders.
 */
class QuadFit {
 public:
  /** border: one that may be a quad. least_side_px: of the smallest tag. False where it is none. */
  bool fit(const GreyView& picture, const Border& border, Borders::Points points, double least_side_px, Quad& quad);

 private:
  void sum_up(const GreyView& picture, const BorderPoint* sorted, size_t count, const BorderBox& box);
  /** Sets corners_ to the points at which the outline turns most, at most MOST_CORNERS. */
  void find_corners();
  /** Of the four lines between the best of them; false where there is none. */
  bool best_lines(StraightLine (&lines)[4]) const;

  PointOrder order_;
  LineSums sums_;
  std::vector<double> errors_, smooth_;
  std::vector<int> corners_;
};

}  // namespace vedette
