// Which board is in front of a camera, told from the markers that were found.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "homography.h"

namespace vedette {

/** A marker in a picture. corners: pixels, as the detector counts them, around the marker. */
struct SeenMarker {
  int family, id;
  double center[2], corners[4][2];
  Homography homography;  // of its own square, from (-1, -1) to (1, 1), y down
};

using SeenMarkers = std::vector<SeenMarker>;

/** A charuco board, as far as pictures show it. */
struct BoardLayout {
  int family = 0;
  /** Squares. rows: as many as were seen; there may be one more that never was. */
  int columns = 0, rows = 0;
  /** Whether the upper left square has the first marker: the old layout of boards with an even number of rows. */
  bool starts_white = false;
  /** Side of a marker, in squares. */
  double marker = 0;
  /** Of all markers of its family that were found: those that lie where it has them. */
  double fitting_share = 0;
};

/** The square of a marker. */
struct BoardSquare {
  int column, row;
};
BoardSquare square_of_marker(int id, int columns, bool starts_white);

/** None where no board explains 0.8 of the markers, or several do as well. */
std::optional<BoardLayout> recognise_layout(const std::vector<SeenMarkers>& pictures);

/** The markers of a picture that lie where the board has them; none of those that are somewhere else. */
SeenMarkers fitting_markers(const SeenMarkers& picture, const BoardLayout& layout);

}  // namespace vedette
