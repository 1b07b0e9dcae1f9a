// Straight lines through points that follow each other, by sums that are kept for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "straight_line.h"

namespace vedette {

/** How far points are from the line through them. mean_square: of the distances, square pixels. total: mean_square times the number of points. */
struct LineError {
  double mean_square, total;
};

/**
 * Sums over the points of a closed outline, of which those of any stretch are a difference. Whole numbers, so that neither their order nor the processor has a part in
 * what comes out.
 */
class LineSums {
 public:
  /** x, y: half pixels from some place near by, below 2^15; weight: at most 400. */
  struct Point {
    int x, y, weight;
  };

  /** Of so many points; point_of gives each by its place. */
  template <typename PointOf>
  void set(size_t count, PointOf point_of) {
    sums_.resize(count + 1);
    Sums sum;
    sums_[0] = sum;
    for (size_t i = 0; i < count; i++) {
      const Point point = point_of(i);
      const int64_t wx = static_cast<int64_t>(point.weight) * point.x, wy = static_cast<int64_t>(point.weight) * point.y;
      sum.w += point.weight, sum.x += wx, sum.y += wy;
      sum.xx += wx * point.x, sum.xy += wx * point.y, sum.yy += wy * point.y;
      sums_[i + 1] = sum;
    }
  }

  int count() const { return static_cast<int>(sums_.size()) - 1; }

  /** Through the points from first to last, both included; round the end where last is before first. Pixels. */
  StraightLine line(int first, int last) const {
    StraightLine line = spread_of(first, last).line();
    line.x /= 2, line.y /= 2;
    return line;
  }

  /** Of the same line. */
  LineError error(int first, int last) const {
    const Spread spread = spread_of(first, last);
    const double mean_square = spread.across() / 4;
    return {mean_square, mean_square * spread.points};
  }

 private:
  struct Sums {
    int64_t w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  };

  /** Half pixels. */
  struct Spread : Scatter {
    int points;
  };

  Spread spread_of(int first, int last) const {
    const Sums &from = sums_[first], &to = sums_[last + 1];
    Sums sum{to.w - from.w, to.x - from.x, to.y - from.y, to.xx - from.xx, to.xy - from.xy, to.yy - from.yy};
    int points = last - first + 1;
    if (last < first) {
      const Sums& all = sums_.back();
      sum.w += all.w, sum.x += all.x, sum.y += all.y, sum.xx += all.xx, sum.xy += all.xy, sum.yy += all.yy;
      points += count();
    }
    const double share = 1 / static_cast<double>(sum.w), x = static_cast<double>(sum.x) * share, y = static_cast<double>(sum.y) * share;
    return {{x, y, static_cast<double>(sum.xx) * share - x * x, static_cast<double>(sum.xy) * share - x * y, static_cast<double>(sum.yy) * share - y * y}, points};
  }

  std::vector<Sums> sums_{1};
};

}  // namespace vedette
