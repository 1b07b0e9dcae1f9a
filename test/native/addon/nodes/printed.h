// Printed tags for the nodes, and how far from their truth they are found.
#pragma once

#include <algorithm>
#include <cmath>

#include "one_node.h"
#include "sheets.h"
#include "tag_family.h"
#include "views.h"

namespace vedette::test {

/** How far the corner of a tag that is farthest from its place is from there. */
inline double off_px(const Detection& tag, const Quad& truth) {
  double most = 0;
  for (int i = 0; i < 4; i++)
    most = std::max(most, std::hypot(tag.corners[i][0] - truth[i].x, tag.corners[i][1] - truth[i].y));
  return most;
}

}  // namespace vedette::test
