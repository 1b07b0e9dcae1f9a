// A part of a JPEG from the border of its blocks on, without decoding: the same coefficients, so the very same pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "jpeg_reader.h"

namespace vedette {

/** The size of the blocks that are stored together: a part begins at multiples of it. */
int block_width(JpegReader& reader);
int block_height(JpegReader& reader);

/** The part, which must fit, as a JPEG of its own. Throws BadJpeg. */
std::vector<uint8_t> copy_jpeg_part(JpegReader& reader, const Crop& part);

}  // namespace vedette
