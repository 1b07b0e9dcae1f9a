// The border of a tag as evidence.
#pragma once

#include <apriltag/apriltag.h>

#include "grey_view.h"
#include "homography.h"

namespace vedette {

/**
 * The square that the corners of a family's tags mark. modules: along a side. is_light: white with black around it, as
 * of the newer families; else black with white.
 */
struct BorderSquare {
  int modules = 0;
  bool is_light = false;
};

BorderSquare square_of(const apriltag_family_t& family);

/**
 * Share of the modules on either side of the border line that are not as printed, one colour inside, the other outside.
 * libapriltag takes its levels of black and white from these modules but never asks whether they are black and white;
 * in noise and in textures they are not, however clear the code looks.
 *
 * corners: continuous pixels of `picture`, in libapriltag's order or any other that goes round. 1 when nothing can be
 * seen.
 */
double wrong_border_share(const GreyView& picture, const BorderSquare& square, const double (&corners)[4][2]);

/** Whether so few are wrong that it is the border of a tag. */
bool has_border(const GreyView& picture, const BorderSquare& square, const double (&corners)[4][2]);

/**
 * Whether the square and the modules around it are in the picture. Where they are not, a side may be the rim of the
 * picture, which looks like the edge of a tag to those who look for outlines. map: of the square onto `picture`.
 */
bool is_whole_in(const GreyView& picture, const BorderSquare& square, const Homography& map);

}  // namespace vedette
