// The corners of a tag from the whole length of its edges, and how exact they are.
#pragma once

#include "grey_view.h"
#include "tag_border.h"

namespace vedette {

/**
 * Where the noise of corners is not measured: root mean square of a coordinate on the synthetic camera, at any noise,
 * as libapriltag refines corners and, for each pixel of decimation, without any refinement.
 */
constexpr double PLAIN_SIGMA_PX = 0.1, RAW_SIGMA_PX = 0.27;

/**
 * How exact corners are that were taken from edges, in pixels. sigma_px: standard deviation of one coordinate; 0: not
 * followed. washed_out_px: what of it the edges' width adds. blur_px: standard deviation of the blur across them, a
 * pixel's own extent included.
 */
struct EdgeExactness {
  double sigma_px = 0, washed_out_px = 0, blur_px = 0;
};

/**
 * Moves the four corners to where straight lines along the edges meet, in pixels of `picture`, and says how exact
 * that is, as what the lines leave unexplained tells it. Corners come within half a pixel, as libapriltag gives them,
 * of that square. Leaves them alone, with a deviation of 0, where an edge cannot be followed: out of the picture,
 * covered, or without contrast.
 */
EdgeExactness follow_edges(const GreyView& picture, const BorderSquare& square, double (&corners)[4][2]);

}  // namespace vedette
