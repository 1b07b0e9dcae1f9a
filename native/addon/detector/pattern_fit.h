// The corners of a tag that was read, from all that is printed on it.
#pragma once

#include <apriltag/apriltag.h>

#include "grey_view.h"

namespace vedette {

/**
 * sigma_px: standard deviation of one coordinate of a corner, as the fit's misfit tells it; 0: the picture is not
 * explained by what is printed. blur_px: standard deviation of the blur, the pixel's own extent included. outside:
 * share of the pixels that are too far off to count.
 */
struct PatternExactness {
  double sigma_px = 0, blur_px = 0, outside = 0;
};

/**
 * Fits what is printed on a tag to the picture: the places of the corners, how much the picture is blurred, and the
 * levels of black and white. Corners come within a pixel; blur_px: about how much, 0 where nobody knows. Moves the
 * corners; leaves them alone, with a deviation of 0, where the picture is not explained by it.
 */
PatternExactness fit_pattern(const GreyView& picture, const apriltag_family_t& family, int id, double blur_px,
                             double (&corners)[4][2]);

}  // namespace vedette
