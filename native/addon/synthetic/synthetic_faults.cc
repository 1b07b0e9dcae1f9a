#include "synthetic_faults.h"

#include "pose_math.h"
#include "synthetic_random.h"

namespace vedette {
namespace {

constexpr uint64_t AXES = 6;

/** Of a tag, in its own axes. */
Pose chance_offset(const SyntheticFaults& faults, int id) {
  const auto normal = [&](uint64_t axis) {
    return nearly_normal(faults.map_seed, static_cast<uint64_t>(id) * AXES + axis);
  };
  const double turn = faults.map_deg * M_PI / 180;
  return pose_from_euler(faults.map_m * normal(0), faults.map_m * normal(1), faults.map_m * normal(2), turn * normal(3),
                         turn * normal(4), turn * normal(5));
}

}  // namespace

FieldMap displaced(const FieldMap& map, const SyntheticFaults& faults) {
  FieldMap real = map;
  for (MapTag& tag : real.tags) {
    if (faults.map_m > 0 || faults.map_deg > 0) tag.field_tag = compose(tag.field_tag, chance_offset(faults, tag.id));
    for (const TagOffset& other : faults.tags)
      if (other.id == tag.id) tag.field_tag = compose(tag.field_tag, other.offset);
  }
  return real;
}

Intrinsics bent(const Intrinsics& intrinsics, const SyntheticFaults& faults) {
  Intrinsics real = faults.lens.known ? faults.lens : intrinsics;
  real.fx *= 1 + faults.lens_share;
  real.fy *= 1 + faults.lens_share;
  return real;
}

}  // namespace vedette
