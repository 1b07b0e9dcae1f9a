#include "upright.h"

#include <turbojpeg.h>

#include <memory>
#include <string>
#include <utility>

#include "source.h"

namespace vedette {

namespace {

constexpr int QUALITY = 100;

/** Whether what is seen first lies on the right, or at the bottom, of what is stored. */
bool is_from_right(int orientation) { return orientation == 2 || orientation == 3 || orientation >= 7; }
bool is_from_bottom(int orientation) {
  return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

/** The samples on the sides of a plane that the picture does not reach to, in pixels. */
int rest_of(int samples, int shift, int offset, int pixels) { return (samples << shift) - offset - pixels; }

/** A sample for each pixel, rows without gaps. */
std::vector<uint8_t> spread(const std::vector<uint8_t>& plane, const Chroma& chroma, int width, int height) {
  std::vector<uint8_t> out(static_cast<size_t>(width) * height);
  uint8_t* to = out.data();
  for (int y = 0; y < height; y++) {
    const uint8_t* row = &plane[static_cast<size_t>((y + chroma.top) >> chroma.shift_y) * chroma.width];
    for (int x = 0; x < width; x++) *to++ = row[(x + chroma.left) >> chroma.shift_x];
  }
  return out;
}

/** How libjpeg-turbo calls a layout of samples; -1: it knows none that has them where they are. */
int sampling_of(const Chroma& chroma, int width, int height) {
  const bool is_even = width % (1 << chroma.shift_x) == 0 && height % (1 << chroma.shift_y) == 0;
  if (!is_even || chroma.left != 0 || chroma.top != 0) return -1;
  switch (10 * chroma.shift_x + chroma.shift_y) {
    case 0:
      return TJSAMP_444;
    case 1:
      return TJSAMP_440;
    case 10:
      return TJSAMP_422;
    case 11:
      return TJSAMP_420;
    default:
      return -1;
  }
}

std::vector<uint8_t> encode(const GrayImage& gray, Chroma& chroma) {
  int sampling = chroma.is_empty() ? int{TJSAMP_GRAY} : sampling_of(chroma, gray.width, gray.height);
  int stride = chroma.width;
  if (sampling < 0) {
    sampling = TJSAMP_444;
    stride = gray.width;
    chroma.cb = spread(chroma.cb, chroma, gray.width, gray.height);
    chroma.cr = spread(chroma.cr, chroma, gray.width, gray.height);
  }
  const unsigned char* planes[] = {gray.data(), chroma.cb.data(), chroma.cr.data()};
  const int strides[] = {gray.stride, stride, stride};
  const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitCompress(), tjDestroy);
  unsigned char* jpeg = nullptr;
  unsigned long size = 0;
  const int rc = tjCompressFromYUVPlanes(turbo.get(), planes, gray.width, strides, gray.height, sampling, &jpeg, &size,
                                         QUALITY, 0);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(jpeg, tjFree);
  if (rc != 0)
    throw Fault{"picture.corrupt", std::string("the picture cannot be set upright: ") + tjGetErrorStr2(turbo.get())};
  return {jpeg, jpeg + size};
}

}  // namespace

/** Pixel (x, y) of what is seen lies at (column, row) of what is stored. */
template <typename Bytes>
void Turner::turn(Bytes& plane, Bytes& scratch, const uint8_t* first, int width, int height, int stride,
                  int orientation) {
  const bool is_swapped = is_on_its_side(orientation);
  const ptrdiff_t across = is_from_right(orientation) ? -1 : 1, down = is_from_bottom(orientation) ? -stride : stride;
  const ptrdiff_t step_x = is_swapped ? down : across, step_y = is_swapped ? across : down;
  const uint8_t* corner = first;
  if (is_from_right(orientation)) corner += width - 1;
  if (is_from_bottom(orientation)) corner += static_cast<ptrdiff_t>(stride) * (height - 1);
  const int wide = is_swapped ? height : width, high = is_swapped ? width : height;
  scratch.resize(static_cast<size_t>(wide) * high);
  uint8_t* to = scratch.data();
  for (int y = 0; y < high; y++) {
    const uint8_t* from = corner + step_y * y;
    for (int x = 0; x < wide; x++, from += step_x) *to++ = *from;
  }
  plane.swap(scratch);
}

void Turner::set_upright(GrayImage& gray, Chroma& chroma, int orientation) {
  if (orientation == UPRIGHT) return;
  const int width = gray.width, height = gray.height;
  turn(gray.pixels, gray_scratch_, gray.data(), width, height, gray.stride, orientation);
  const bool is_swapped = is_on_its_side(orientation);
  gray.first = 0;
  gray.width = gray.stride = is_swapped ? height : width;
  gray.height = is_swapped ? width : height;
  if (chroma.is_empty()) return;
  turn(chroma.cb, scratch_, chroma.cb.data(), chroma.width, chroma.height, chroma.width, orientation);
  turn(chroma.cr, scratch_, chroma.cr.data(), chroma.width, chroma.height, chroma.width, orientation);
  if (is_from_right(orientation)) chroma.left = rest_of(chroma.width, chroma.shift_x, chroma.left, width);
  if (is_from_bottom(orientation)) chroma.top = rest_of(chroma.height, chroma.shift_y, chroma.top, height);
  if (!is_swapped) return;
  std::swap(chroma.width, chroma.height);
  std::swap(chroma.shift_x, chroma.shift_y);
  std::swap(chroma.left, chroma.top);
}

std::vector<uint8_t> upright_jpeg(const std::vector<uint8_t>& bytes, int orientation) {
  GrayImage gray;
  Chroma chroma;
  PictureDecoder().decode_colour(bytes.data(), bytes.size(), gray, chroma);
  Turner().set_upright(gray, chroma, orientation);
  return encode(gray, chroma);
}

}  // namespace vedette
