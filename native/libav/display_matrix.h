// The matrix in which a container says how its pictures are to be shown.
#pragma once

#include <cstdint>

namespace vedette {

/**
 * The orientation that it comes to, numbered as EXIF does; 1 for what is neither turned by quarters nor mirrored.
 * matrix: nine numbers in the order of ISO/IEC 14496-12 (a b u c d v x y w), of which x' = ax + cy and y' = bx + dy,
 * y down.
 */
int orientation_of(const int32_t* matrix);

}  // namespace vedette
