// Which side of a picture is up, where that is noted beside its pixels: numbered 1 to 8 as EXIF does (CIPA DC-008,
// 4.6.4); 1 is upright.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vedette {

constexpr int UPRIGHT = 1;

/** Whether what is seen is as wide as the stored picture is high. */
inline bool is_on_its_side(int orientation) { return orientation >= 5; }

/**
 * What the camera noted in a JPEG, or a program in a PNG before its pixels, as browsers heed it; UPRIGHT for anything
 * else, and for a note that makes no sense.
 */
int noted_orientation(const uint8_t* bytes, size_t length);

/** Has what a JPEG notes say that it is upright, so that nobody turns it. Nothing else of it changes. */
void forget_orientation(std::vector<uint8_t>& jpeg);

}  // namespace vedette
