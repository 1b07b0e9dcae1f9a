// The corners of a charuco board's squares in a picture, each between two of its markers.
#pragma once

#include <vector>

#include "board_layout.h"
#include "grey_view.h"

namespace vedette {

/** A corner of four squares. column, row: squares to the left of it and above. u, v: from the first pixel's centre. */
struct ChessCorner {
  int column, row;
  double u, v;
};

/**
 * Those between two markers that are seen, 3 px inside the picture at least. Each is guessed from both markers, then
 * moved to where the edges of its squares meet. markers: that fit the layout.
 */
std::vector<ChessCorner> chess_corners(const GreyView& picture, const SeenMarkers& markers, const BoardLayout& layout);

}  // namespace vedette
