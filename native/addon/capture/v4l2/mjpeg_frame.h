// Whether a camera's buffer holds a whole JPEG, found out in microseconds and without decoding it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vedette {

/**
 * length: of the JPEG itself, without what the camera padded it with. why: it cannot be used, in a few words; empty: it
 * can.
 */
struct MjpegFrame {
  size_t length = 0;
  std::string why;
};

/**
 * Looks at the marker of the start, the size in the header and the marker of the end. width, height: of the mode.
 * Restart markers within the scan are no ends.
 */
MjpegFrame check_mjpeg(const uint8_t* bytes, size_t length, int width, int height);

}  // namespace vedette
