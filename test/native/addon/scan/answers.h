// What detectors say of pictures, for tests that compare answers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "found_tag.h"

namespace vedette::test {

/** All bits of what is said of tags. */
inline std::string bits_of(const std::vector<FoundTag>& tags) {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const FoundTag& each : tags) {
    out += each.family->name;
    add(each.id), add(each.hamming), add(each.margin), add(each.center), add(each.corners);
    for (const double number : each.homography.m) add(number);
  }
  return out;
}

/** Whether a tag is one of its family and in some place. */
inline bool is_sane(const FoundTag& tag) {
  bool is = std::isfinite(tag.margin) && std::isfinite(tag.center[0]) && std::isfinite(tag.center[1]) && tag.id >= 0 &&
            tag.id < static_cast<int>(tag.family->ncodes);
  for (const auto& corner : tag.corners) is = is && std::isfinite(corner[0]) && std::isfinite(corner[1]);
  return is;
}

}  // namespace vedette::test
