#include "v4l2_gray.h"

#include <linux/videodev2.h>

#include <cstring>

namespace vedette {
namespace {

// Loops of one kind each over one row: the compiler makes vector instructions of them.

void take_every_second(const uint8_t* from, uint8_t* to, int width) {
  for (int x = 0; x < width; x++) to[x] = from[2 * x];
}

void drop_two_bits(const uint8_t* from, uint8_t* to, int width) {
  for (int x = 0; x < width; x++) to[x] = static_cast<uint8_t>((from[2 * x] | (from[2 * x + 1] << 8)) >> 2);
}

void convert_row(uint32_t fourcc, const uint8_t* from, uint8_t* to, int width) {
  switch (fourcc) {
    case V4L2_PIX_FMT_YUYV:
      return take_every_second(from, to, width);
    case V4L2_PIX_FMT_UYVY:
      return take_every_second(from + 1, to, width);
    case V4L2_PIX_FMT_Y10:
      return drop_two_bits(from, to, width);
    default:  // grey, and the first plane of nv12
      std::memcpy(to, from, static_cast<size_t>(width));
  }
}

}  // namespace

size_t gray_bytes(const PixelFormat& format, int width, int height, int stride) {
  const size_t last_row = static_cast<size_t>(width) * (format.bits == 16 ? 2 : 1);
  return static_cast<size_t>(stride) * static_cast<size_t>(height - 1) + last_row;
}

void raw_to_gray(const PixelFormat& format, const RawPicture& picture, GrayImage& out) {
  out.resize(picture.width, picture.height);
  for (int y = 0; y < picture.height; y++)
    convert_row(format.fourcc, picture.bytes + static_cast<size_t>(y) * picture.stride,
                out.pixels.data() + static_cast<size_t>(y) * out.stride, picture.width);
}

}  // namespace vedette
