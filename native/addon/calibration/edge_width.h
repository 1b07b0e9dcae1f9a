// How sharp a board is in a picture.
#pragma once

#include <vector>

#include "chess_corners.h"

namespace vedette {

/**
 * Pixels: contrast across an edge of a square through its steepest slope, the median of all edges, of those that lie
 * or those that stand, whichever is larger: motion blurs one kind alone. 0: no edge could be measured. white_share: of
 * a square's side, how much of it is white beside its edges.
 */
double edge_width(const GreyView& picture, const std::vector<ChessCorner>& corners, double white_share);

}  // namespace vedette
