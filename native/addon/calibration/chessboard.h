// A chessboard without markers in a picture: all of its inner corners, or none.
#pragma once

#include <optional>
#include <vector>

#include "chess_corners.h"

namespace vedette {

/** Inner corners of a chessboard, from left to right and from top to bottom. */
struct InnerCorners {
  int columns = 0, rows = 0;

  bool operator==(const InnerCorners& other) const { return columns == other.columns && rows == other.rows; }
};

/**
 * How many inner corners the chessboard in a picture has, as far as it is in view; none where there is no chessboard.
 * It may take a second, so it belongs into a process that may be ended.
 */
std::optional<InnerCorners> recognise_chessboard(const GreyView& picture);

/** Which of the sizes that were recognised is the board's: the largest that two pictures agree on, else the largest. */
std::optional<InnerCorners> agreed_size(const std::vector<InnerCorners>& sizes);

/** All inner corners of a chessboard of that size, row by row, each as how many squares lie left of it and above. */
std::vector<ChessCorner> chessboard_corners(const GreyView& picture, const InnerCorners& size);

}  // namespace vedette
