// Whether two searches have found the same.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "found_tag.h"

namespace vedette {

/** To the last bit. */
inline bool is_same(const std::vector<FoundTag>& some, const std::vector<FoundTag>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(), [](const FoundTag& a, const FoundTag& b) {
    const auto is_equal = [](const auto& one, const auto& other) { return std::memcmp(&one, &other, sizeof one) == 0; };
    return a.family == b.family && a.id == b.id && a.hamming == b.hamming && is_equal(a.margin, b.margin) &&
           is_equal(a.center, b.center) && is_equal(a.corners, b.corners) && is_equal(a.homography.m, b.homography.m);
  });
}

}  // namespace vedette
