// The points of an outline that nothing of it lies far outside of.
#pragma once

#include <cstddef>
#include <vector>

#include "borders.h"

namespace vedette {

/**
 * Where the black ring of a tag is broken, by what covers a part of it or since its modules are hardly a pixel wide,
 * its outline goes on inside, around the modules. Those points are left out: what stays lies near the convex hull of
 * all. Keeps its memory between outlines.
 */
class OutermostPoints {
 public:
  /**
   * sorted: the points of the border, by their direction. In the same order those that lie along the hull; none where
   * nothing would be left out, or where so little lies along it that the outline is no tag's. Valid until the next
   * call.
   */
  const std::vector<BorderPoint>& of(const Border& border, const BorderPoint* sorted, size_t count);

 private:
  /** Of the hull. place: in ring_. */
  struct Corner {
    int x, y;
    size_t place;
  };

  /**
   * Sets ring_ to the points from the uppermost on, which is at its end once more, and the first corners_ of hull_ to
   * those at which the hull has its corners.
   */
  void find_hull(const BorderPoint* sorted, size_t count);

  std::vector<BorderPoint> ring_, kept_;
  std::vector<Corner> hull_;  // with room behind them
  size_t corners_ = 0;
};

}  // namespace vedette
