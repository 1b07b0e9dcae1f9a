// The quadrilateral that a border may be.
#pragma once

#include <vector>

#include "borders.h"
#include "grey_view.h"
#include "line_sums.h"
#include "outermost_points.h"
#include "point_order.h"

namespace vedette {

/**
 * Four corners, clockwise on the screen. Pixels. is_black_inside: else white within black. is_part: of its outline some
 * is left out, as where something covers a tag; most of such are nothing. is_second: of the same outline as the one
 * before it; not worth a look where that was a tag.
 */
struct Quad {
  double corners[4][2];
  bool is_black_inside, is_part = false, is_second = false;
};

/** Whether a border has points enough and room for a tag. min_side_px: of the smallest one. */
bool may_be_quad(const Border& border, double min_side_px);

/**
 * Fits quadrilaterals, as libapriltag 3.3 does: corners are where lines through the points on either side are worst,
 * and of those the four between which lines are best. Beyond that it guesses at what is covered: four lines between
 * five corners, and those of the outermost points alone. Keeps its memory between borders.
 */
class QuadFit {
 public:
  /**
   * border: one that may be a quad. min_side_px: of the smallest tag. Adds what it may be to quads, at most three,
   * the likeliest first.
   */
  void fit(const GreyView& picture, const Border& border, Borders::Points points, double min_side_px,
           std::vector<Quad>& quads);

 private:
  static constexpr int MAX_CORNERS = LinesBetween::MAX_CORNERS;

  /** Sets sums_, corners_ and lines_. False where there are less than four corners. */
  bool look_at(const GreyView& picture, const BorderBox& box, const BorderPoint* sorted, size_t count);
  /** Sets corners_ to the points at which the outline turns most, at most MAX_CORNERS. */
  void find_corners();
  /**
   * Of the four lines between four of them the best, and the mean square of the one that is bent most; infinite where
   * there is none.
   */
  double best_lines(StraightLine (&lines)[4]) const;
  /** The same between five of them, where one stretch, a short one, is left out. False where there is none. */
  bool best_lines_around(StraightLine (&lines)[4]) const;

  PointOrder order_;
  OutermostPoints outermost_;
  LineSums sums_;
  std::vector<double> errors_, smooth_;
  std::vector<int> corners_;
  LinesBetween lines_;
  std::vector<int> weights_;  // of the points: how much the grey changes around them, and 1
};

}  // namespace vedette
