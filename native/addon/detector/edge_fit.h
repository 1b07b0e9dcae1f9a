// A straight edge between dark and bright, fitted to the pixels along it.
#pragma once

#include "grey_view.h"

namespace vedette {

/**
 * Where to look for an edge. from, to: its ends, about, pixels. normal_x, normal_y: from dark to bright. half_px: how
 * far from it only the two that it parts are seen. skip_px, skip_at_end_px: at either end, what is in another edge's
 * light.
 */
struct SoughtEdge {
  const double *from, *to;
  double normal_x, normal_y, half_px, skip_px, skip_at_end_px;
};

/**
 * An edge as it was found: a point of it near the middle of what was sought, and its normal, as sought. blur_px:
 * standard deviation of the blur across it, without what a pixel's own extent adds. variance: of its distance from the
 * true one at either end, as the misfit tells it; square pixels.
 */
struct FittedEdge {
  double x, y, normal_x, normal_y, blur_px, variance;
};

/**
 * Fits place, direction, blur, and the light on both sides, which may change along it, to whole pixels: each sees the
 * mean of what falls into it. So an edge that runs along the rows is where it is as one that runs aslant, wherever
 * between two rows it lies, and whichever way its pixels are blurred. False where too little is seen of it, it has no
 * contrast, or what is seen is no edge.
 */
bool fit_edge(const GreyView& picture, const SoughtEdge& sought, FittedEdge& fitted);

}  // namespace vedette
