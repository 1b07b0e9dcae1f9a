// What calibration is computed from: where the corners of a board were seen.
#pragma once

#include <vector>

namespace vedette {

/**
 * A corner of a board in a picture. u, v: pixels, from the centre of the first one, as OpenCV counts. x, y: metres on
 * the board, from its middle, right and down.
 */
struct BoardCorner {
  double u, v, x, y;
};

/** The corners of one picture. */
using BoardView = std::vector<BoardCorner>;

/**
 * Pictures of one board by one camera. width, height: of the pictures. half_width, half_height: metres, of the board.
 */
struct BoardViews {
  int width = 0, height = 0;
  double half_width = 0, half_height = 0;
  std::vector<BoardView> views;
};

}  // namespace vedette
