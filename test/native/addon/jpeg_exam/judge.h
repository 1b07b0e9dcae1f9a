// What libjpeg-turbo's own programs make of a picture.
#pragma once

#include <string>
#include <vector>

#include "damage.h"

namespace vedette::test {

/** The pixels of a picture, 1 or 3 bytes each; none: it is not decoded. */
struct Pixels {
  int width = 0, height = 0, channels = 0;
  Bytes bytes;
  bool operator==(const Pixels& other) const {
    return width == other.width && height == other.height && channels == other.channels && bytes == other.bytes;
  }
};

/** What a program writes for what it is given; its code of exit is left in `code`. Throws std::runtime_error where
 * there is no such program. */
Bytes output_of(const std::vector<std::string>& command, const Bytes& input, int& code);

/** By djpeg, with options: whatever it warns of, as long as it gives pixels. */
Pixels judged(const Bytes& jpeg, const std::vector<std::string>& options);

/** Of a drawing, by cjpeg and jpegtran: as cameras and programs write them. */
std::vector<Whole> whole_jpegs();

}  // namespace vedette::test
