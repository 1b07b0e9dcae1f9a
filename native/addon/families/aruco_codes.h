// The codes of ArUco markers. The table itself is made at build time, by aruco-codes.ts, from those of the package
// js-aruco2.
#pragma once

#include <cstdint>

namespace vedette {

/**
 * A dictionary. name: in TAG_FAMILIES. side: modules of a marker's inside. codes: row by row, from the upper left
 * module, which is the highest of side² bits; 1: white.
 */
struct ArucoCodes {
  const char* name;
  int side;
  uint32_t count;
  const uint64_t* codes;
};

extern const ArucoCodes ARUCO_CODES[];
extern const int ARUCO_CODES_COUNT;

}  // namespace vedette
