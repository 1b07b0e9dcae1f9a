#include "tag_family.h"

#include <apriltag/tag16h5.h>
#include <apriltag/tag25h9.h>
#include <apriltag/tag36h10.h>
#include <apriltag/tag36h11.h>
#include <apriltag/tagCircle21h7.h>
#include <apriltag/tagCircle49h12.h>
#include <apriltag/tagCustom48h12.h>
#include <apriltag/tagStandard41h12.h>
#include <apriltag/tagStandard52h13.h>

#include <algorithm>
#include <cstdlib>

#include "aruco_family.h"

namespace vedette {

namespace {

struct Known {
  const char* name;
  apriltag_family_t* (*create)();
  void (*destroy)(apriltag_family_t*);
};

constexpr Known KNOWN[] = {
    {"tag36h11", tag36h11_create, tag36h11_destroy},
    {"tag25h9", tag25h9_create, tag25h9_destroy},
    {"tag16h5", tag16h5_create, tag16h5_destroy},
    {"tag36h10", tag36h10_create, tag36h10_destroy},
    {"tagCircle21h7", tagCircle21h7_create, tagCircle21h7_destroy},
    {"tagCircle49h12", tagCircle49h12_create, tagCircle49h12_destroy},
    {"tagCustom48h12", tagCustom48h12_create, tagCustom48h12_destroy},
    {"tagStandard41h12", tagStandard41h12_create, tagStandard41h12_destroy},
    {"tagStandard52h13", tagStandard52h13_create, tagStandard52h13_destroy},
};

constexpr double BYTES_OF_A_CODE = 3 * 16;  // a slot has 16 bytes, and two thirds of them stay empty

}  // namespace

FamilyOwner make_family(const std::string& name) {
  for (const Known& known : KNOWN)
    if (name == known.name) return {known.create(), known.destroy};
  return make_aruco_family(name);
}

double table_bytes(const apriltag_family_t& family, int bits) {
  const double each = family.nbits;
  return BYTES_OF_A_CODE * family.ncodes * (1 + (bits >= 1 ? each : 0) + (bits >= 2 ? each * (each - 1) : 0));
}

int hole_modules(const apriltag_family_t& family) {
  int side = family.width_at_border;
  for (uint32_t i = 0; i < family.nbits; i++) {
    // Counted from the border square; what lies outside of it is negative, though declared without a sign.
    const int x = static_cast<int>(family.bit_x[i]), y = static_cast<int>(family.bit_y[i]);
    side = std::min(
        side, std::max(std::abs(2 * x + 1 - family.width_at_border), std::abs(2 * y + 1 - family.width_at_border)) - 1);
  }
  return std::max(side, 0);
}

}  // namespace vedette
