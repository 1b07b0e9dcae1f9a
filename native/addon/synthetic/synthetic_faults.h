// What of the synthetic camera and its field is otherwise than it is said to be.
#pragma once

#include "source.h"

namespace vedette {

/** The map with its tags where they really hang. Equal seeds displace a tag alike, whatever else the map has. */
FieldMap displaced(const FieldMap& map, const SyntheticFaults& faults);

/** The lens as it really is. */
Intrinsics bent(const Intrinsics& intrinsics, const SyntheticFaults& faults);

}  // namespace vedette
