// What a detector says of a tag.
#pragma once

#include <apriltag/apriltag.h>

#include "homography.h"

namespace vedette {

/**
 * A tag in a picture. corners: pixels, counterclockwise on the screen, the first at the tag's own lower left, as
 * libapriltag has them. hamming: wrong bits. margin: on libapriltag's scale, the grey levels by which bits differ from
 * the middle between black and white.
 */
struct FoundTag {
  const apriltag_family_t* family;
  int id, hamming;
  double margin;
  double center[2], corners[4][2];
  Homography homography;  // of the tag's own square, whose corner (-1, 1) is the first
};

}  // namespace vedette
