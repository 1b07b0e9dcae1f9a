// The corners of a tag as exact as they come.
#pragma once

#include "found_tag.h"
#include "grey_view.h"

namespace vedette {

/**
 * Moves a tag's corners, which come within half a pixel, to where its edges say they are, or all that is printed on it,
 * whichever is more exact. Returns their standard deviation (one coordinate, pixels). Leaves them alone, and returns 0,
 * where neither can be told: out of the picture, covered, or without contrast.
 */
double refine_corners(const GreyView& picture, const FoundTag& tag, double (&corners)[4][2]);

}  // namespace vedette
