// The points of a border in their order around its middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "borders.h"

namespace vedette {

/**
 * Sorts points by their direction from the middle of their box: from the left up, right and down, so clockwise on the
 * screen. Of those in one direction the one that came first stays first. Keeps its memory between borders.
 */
class PointOrder {
 public:
  /** points: at least one. Valid until the next call; as many as were given. */
  const BorderPoint* sorted(const BorderPoint* points, size_t count, const BorderBox& box);

 private:
  struct Entry {
    uint32_t direction;
    BorderPoint point;
  };

  /**
   * Puts the entries in the order of as many bits of their directions as there are values, from bit `shift` on; those
   * that are alike stay as they were. starts: zeros.
   */
  template <size_t VALUES>
  void count_out(uint32_t (&starts)[VALUES], int shift);

  std::vector<Entry> entries_, spare_;
  std::vector<BorderPoint> sorted_;
};

}  // namespace vedette
