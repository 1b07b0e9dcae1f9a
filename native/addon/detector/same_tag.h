// One tag that is found more than once, in several looks at a picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "found_tag.h"

namespace vedette {

/** Whether the middle of one lies in the other, so that they are one tag that was found twice. */
inline bool is_same_tag(const FoundTag& a, const FoundTag& b) {
  if (a.family != b.family || a.id != b.id) return false;
  const double side = std::hypot(b.corners[0][0] - b.corners[1][0], b.corners[0][1] - b.corners[1][1]);
  return std::hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]) < side / 2;
}

/** Unless the same tag was found before, with no more wrong bits. */
inline void add_once(std::vector<FoundTag>& tags, const FoundTag& tag) {
  const auto same =
      std::find_if(tags.begin(), tags.end(), [&](const FoundTag& other) { return is_same_tag(tag, other); });
  if (same == tags.end()) tags.push_back(tag);
  else if (tag.hamming < same->hamming) *same = tag;
}

}  // namespace vedette
