#include "v4l2_colour.h"

#include <linux/videodev2.h>

namespace vedette {
namespace {

/** Samples that lie `step` bytes apart; a loop of one kind, of which the compiler makes vector instructions. */
template <int step>
void take_row(const uint8_t* from, int count, uint8_t* cb, uint8_t* cr, int cr_behind) {
  for (int x = 0; x < count; x++) {
    cb[x] = from[step * x];
    cr[x] = from[step * x + cr_behind];
  }
}

/**
 * Two pixels share a sample of each. A last pixel without a partner has only half of them, so that its neighbour's are
 * taken.
 */
void take_interleaved(const RawPicture& picture, int first, Chroma& out) {
  out.resize(picture.width / 2, picture.height, 1, 0);
  for (int y = 0; y < out.height; y++) {
    const size_t to = static_cast<size_t>(y) * out.width;
    take_row<4>(picture.bytes + static_cast<size_t>(y) * picture.stride + first, out.width, &out.cb[to], &out.cr[to],
                2);
  }
}

/** Pairs of samples for two by two pixels each, behind the brightness. */
void take_second_plane(const RawPicture& picture, Chroma& out) {
  const int width = picture.width / 2, height = picture.height / 2;
  const size_t start = static_cast<size_t>(picture.stride) * picture.height;
  const size_t needed = start + static_cast<size_t>(picture.stride) * (height - 1) + 2 * static_cast<size_t>(width);
  if (picture.length < needed) return;
  out.resize(width, height, 1, 1);
  for (int y = 0; y < height; y++) {
    const size_t to = static_cast<size_t>(y) * width;
    take_row<2>(picture.bytes + start + static_cast<size_t>(y) * picture.stride, width, &out.cb[to], &out.cr[to], 1);
  }
}

}  // namespace

bool has_chroma(const PixelFormat& format) {
  return format.fourcc == V4L2_PIX_FMT_YUYV || format.fourcc == V4L2_PIX_FMT_UYVY || format.fourcc == V4L2_PIX_FMT_NV12;
}

void raw_to_chroma(const PixelFormat& format, const RawPicture& picture, Chroma& out) {
  out.clear();
  if (picture.width < 2 || picture.height < 2) return;
  switch (format.fourcc) {
    case V4L2_PIX_FMT_YUYV:
      return take_interleaved(picture, 1, out);
    case V4L2_PIX_FMT_UYVY:
      return take_interleaved(picture, 0, out);
    case V4L2_PIX_FMT_NV12:
      return take_second_plane(picture, out);
    default:
      return;
  }
}

}  // namespace vedette
