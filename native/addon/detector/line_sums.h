// Straight lines through points that follow each other, by sums that are kept for all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "straight_line.h"

namespace vedette {

/**
 * Sums over the points of a closed outline, of which those of any stretch are a difference. Whole numbers; in pictures
 * of up to 16,384 pixels a side they are below 2^53, up to which a double has each of them, so that nothing is rounded.
 * Each kind of sum is a list of its own that goes twice around, so that several stretches are worked out at once.
 */
class LineSums {
 public:
  /** x, y: half pixels from some place near by; weight: at most 400. */
  struct Point {
    int x, y, weight;
  };

  /** Of so many points; point_of gives each by its place. */
  template <typename PointOf>
  void set(size_t count, PointOf point_of);

  int count() const { return static_cast<int>(count_); }

  /** Through the points from first to last, both included; round the end where last is before first. Pixels. */
  StraightLine line(int first, int last) const {
    StraightLine line = between(first, end_of(first, last)).line();
    line.x /= 2, line.y /= 2;
    return line;
  }

  /**
   * Of the line through so many points from each place on: the mean square of their distances from it, times their
   * number. Square pixels. points: not more than there are. errors: one for each place.
   */
  void errors_onward(int points, double* errors) const;

 private:
  friend class LinesBetween;

  int end_of(int first, int last) const { return last + 1 + (last < first ? count() : 0); }

  /** Of the points from one place on to before another, in half pixels. */
  Scatter between(size_t from, size_t to) const {
    return scatter_of(w_[to] - w_[from], x_[to] - x_[from], y_[to] - y_[from], xx_[to] - xx_[from], xy_[to] - xy_[from],
                      yy_[to] - yy_[from]);
  }

  static Scatter scatter_of(double w, double sum_x, double sum_y, double sum_xx, double sum_xy, double sum_yy) {
    const double share = 1 / w, x = sum_x * share, y = sum_y * share;
    return {x, y, sum_xx * share - x * x, sum_xy * share - x * y, sum_yy * share - y * y};
  }

  size_t count_ = 0;
  std::vector<double> w_, x_, y_, xx_, xy_, yy_;  // of the points before each place
};

/** The lines from each of some corners of an outline on to each other, round the end where need be. */
class LinesBetween {
 public:
  static constexpr int MAX_CORNERS = 10;

  /** corners: at most so many places, rising. */
  void set(const LineSums& sums, const std::vector<int>& corners);

  /**
   * Of the line that ends so many corners onward, at least one and not as many as there are: the mean square of its
   * points' distances, square pixels.
   */
  double mean_square(int corner, int onward) const { return mean_squares_[corner][onward - 1]; }

  /** Times its points. */
  double total(int corner, int onward) const { return totals_[corner][onward - 1]; }

  /** Whether two lines have nearly one direction. cosine: of the angle between them. Neither goes round the end. */
  bool are_along(int corner, int onward, int other, int onward_of_other, double cosine) const {
    const double x = normals_x_[corner][onward - 1] * normals_x_[other][onward_of_other - 1],
                 y = normals_y_[corner][onward - 1] * normals_y_[other][onward_of_other - 1];
    return std::fabs(x + y) > cosine;
  }

 private:
  double mean_squares_[MAX_CORNERS][MAX_CORNERS], totals_[MAX_CORNERS][MAX_CORNERS];
  double normals_x_[MAX_CORNERS][MAX_CORNERS], normals_y_[MAX_CORNERS][MAX_CORNERS];
};

template <typename PointOf>
void LineSums::set(size_t count, PointOf point_of) {
  count_ = count;
  for (std::vector<double>* list : {&w_, &x_, &y_, &xx_, &xy_, &yy_})
    if (list->size() < 2 * count + 1) list->resize(2 * count + 1);
  double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (size_t i = 0; i < count; i++) {
    w_[i] = w, x_[i] = x, y_[i] = y, xx_[i] = xx, xy_[i] = xy, yy_[i] = yy;
    const Point point = point_of(i);
    const double px = point.x, py = point.y, wx = point.weight * px, wy = point.weight * py;
    w += point.weight, x += wx, y += wy, xx += wx * px, xy += wx * py, yy += wy * py;
  }
  w_[count] = w, x_[count] = x, y_[count] = y, xx_[count] = xx, xy_[count] = xy, yy_[count] = yy;
  for (std::vector<double>* list : {&w_, &x_, &y_, &xx_, &xy_, &yy_}) {
    double* const sums = list->data();
    const double all = sums[count];
    for (size_t i = 1; i <= count; i++) sums[count + i] = all + sums[i];
  }
}

}  // namespace vedette
