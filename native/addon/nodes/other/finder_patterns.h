// The three corners by which a QR code is found, told from all else before zxing-cpp looks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image.h"

namespace vedette {

/**
 * Counts finder patterns: squares within squares, of which a line through the middle has 1 : 1 : 3 : 1 : 1, whichever
 * way they are turned. Looks at every third row, as zxing-cpp does. Keeps its memory between pictures.
 */
class FinderPatterns {
 public:
  /** Whether a picture in grey has more than so many. Stops as soon as it is known. */
  bool are_more_than(size_t most, const Image& image);

 private:
  /** A stretch of a row, of one colour. level: of the middle between dark and bright, where it begins. */
  struct Run {
    int begin = 0, length = 0, level = 0;
    bool is_dark = false;
  };
  struct Found {
    double x = 0, y = 0, side_px = 0;
  };

  void set_runs(const uint8_t* row, int width);
  bool is_known(double x, double y) const;

  std::vector<int> sums_;  // of the levels before each pixel of a row
  std::vector<Run> runs_;
  std::vector<Found> found_;
};

}  // namespace vedette
