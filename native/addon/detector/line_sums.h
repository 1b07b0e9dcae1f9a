// Straight lines through points that follow each other, by sums that are kept for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "straight_line.h"

namespace vedette {

/** A line through points. mean_square: of the distances, square pixels. total: mean_square times the number of points. */
struct FittedLine : StraightLine {
  double mean_square = 0, total = 0;
};

/**
 * Sums over the points of a closed outline, of which those of any stretch are a difference. Whole numbers, so that neither their order nor the processor has a part in
 * what comes out.
 */
class LineSums {
 public:
  void clear() {
    sums_.assign(1, {});
  }

  /** The next point. x, y: half pixels from some place near by, below 2^15; weight: at most 400. */
  void add(int x, int y, int weight) {
    Sums next = sums_.back();
    const int64_t wx = static_cast<int64_t>(weight) * x, wy = static_cast<int64_t>(weight) * y;
    next.w += weight, next.x += wx, next.y += wy;
    next.xx += wx * x, next.xy += wx * y, next.yy += wy * y;
    sums_.push_back(next);
  }

  int count() const { return static_cast<int>(sums_.size()) - 1; }

  /** Through the points from first to last, both included; round the end where last is before first. Pixels. */
  FittedLine line(int first, int last) const {
    const Spread spread = spread_of(first, last);
    FittedLine line{spread.line()};
    line.x /= 2, line.y /= 2;
    line.mean_square = spread.across() / 4;
    line.total = line.mean_square * spread.points;
    return line;
  }

  /** `total` of the same line. */
  double total(int first, int last) const {
    const Spread spread = spread_of(first, last);
    return spread.across() / 4 * spread.points;
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
    const double weight = static_cast<double>(sum.w), x = static_cast<double>(sum.x) / weight, y = static_cast<double>(sum.y) / weight;
    return {{x, y, static_cast<double>(sum.xx) / weight - x * x, static_cast<double>(sum.xy) / weight - x * y, static_cast<double>(sum.yy) / weight - y * y}, points};
  }

  std::vector<Sums> sums_{1};
};

}  // namespace vedette
