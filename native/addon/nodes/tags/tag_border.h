// The border of a tag as evidence.
#pragma once

#include "value.h"

namespace vedette {

/**
 * Share of the modules on either side of the border line that are not as printed: black inside, white outside. libapriltag takes its levels of black and
 * white from these modules but never asks whether they are black and white; in noise and in textures they are not, however clear the code looks.
 *
 * corners: continuous pixels of `image`, in libapriltag's order or any other that goes round. 1 when nothing can be seen.
 */
double wrong_border_share(const Image& image, int modules, const double (&corners)[4][2]);

}  // namespace vedette
