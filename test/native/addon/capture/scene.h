// The field and the camera that the tests of the synthetic camera share.
#pragma once

#include "frame.h"
#include "pose_math.h"
#include "source.h"

namespace vedette::test {

/** Pairs of tags 0.6 m apart on the four walls of a 16.5 by 8 m field, 1.2 m high, looking inwards. */
inline FieldMap small_field() {
  FieldMap map{"tag36h11", 0.1651, 16.5, 8, {}};
  const auto pair = [&map](double x, double y, double yaw) {
    for (const double aside : {-0.3, 0.3}) {
      const int id = static_cast<int>(map.tags.size()) + 1;
      map.tags.push_back({id, pose_from_euler(x - aside * std::sin(yaw), y + aside * std::cos(yaw), 1.2, 0, 0, yaw)});
    }
  };
  for (const double y : {2.0, 4.0, 6.0}) pair(0, y, 0), pair(16.5, y, M_PI);
  for (const double x : {2.75, 5.5, 8.25, 11.0, 13.75}) pair(x, 0, M_PI / 2), pair(x, 8, -M_PI / 2);
  return map;
}

/** A camera half a metre above the floor, looking up by ten degrees. */
inline SyntheticOptions small_field_options() {
  SyntheticOptions options;
  options.map = small_field();
  options.mount = pose_from_euler(0.25, 0, 0.55, 0, -10 * M_PI / 180, 0);
  return options;
}

}  // namespace vedette::test
