// The grey of a raw picture, out of the layouts in which cameras give it.
#pragma once

#include "frame.h"
#include "v4l2_modes.h"

namespace vedette {

/** A raw picture as it lies in a driver's buffer. stride: bytes from one row of the (first) plane to the next. */
struct RawPicture {
  const uint8_t* bytes;
  size_t length;
  int width, height, stride;
};

/** How many bytes of the buffer hold grey. Those of colour behind it may be missing. */
size_t gray_bytes(const PixelFormat& format, int width, int height, int stride);

/**
 * Takes the brightness as it is: nothing is stretched, so that a calibration and a detection see the same. Of ten bits
 * the lowest two are dropped. The picture must be as long as gray_bytes() says.
 */
void raw_to_gray(const PixelFormat& format, const RawPicture& picture, GrayImage& out);

}  // namespace vedette
