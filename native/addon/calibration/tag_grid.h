// A grid of AprilTags as this device draws it: a border of one module, no squares at the corners, numbered row by row
// from the lower left. Kalibr's have a border of two and are not read.
#pragma once

#include <optional>
#include <vector>

#include "board_layout.h"

namespace vedette {

/** A corner of a tag. column, row: squares to the left of it and above, with the part of one. */
struct GridCorner {
  double column, row, u, v;
};

/** The grid that explains the tags of that family; marker: side of a tag, from one tag to the next being 1. */
std::optional<BoardLayout> recognise_grid(const std::vector<SeenMarkers>& pictures, int family);

/** The four corners of each tag that lies where the grid has it, from the first pixel's centre. */
std::vector<GridCorner> grid_corners(const SeenMarkers& picture, const BoardLayout& layout);

}  // namespace vedette
