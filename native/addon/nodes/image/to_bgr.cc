#include "to_bgr.h"

#include <algorithm>

namespace vedette {

namespace {

constexpr int HALF = 1 << 13, SHIFT = 14;

/** A factor as a whole number of 2^-14. */
constexpr int fixed(double factor) { return static_cast<int>(factor * (1 << SHIFT) + 0.5); }

/** How much of each is in the levels. */
struct Mix {
  int red, green_cb, green_cr, blue;
};
constexpr Mix BT601{fixed(1.402), fixed(0.344136), fixed(0.714136), fixed(1.772)},
    BT709{fixed(1.5748), fixed(0.187324), fixed(0.468124), fixed(1.8556)};

uint8_t level(int value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); }

/** The samples of a row, one for each pixel. The last one serves pixels beyond it. */
void spread(const uint8_t* samples, int count, int left, int shift, int width, uint8_t* to) {
  for (int x = 0; x < width; x++) to[x] = samples[std::min((x + left) >> shift, count - 1)];
}

void convert_row(const Mix& mix, const uint8_t* y, const uint8_t* cb, const uint8_t* cr, int width, uint8_t* to) {
  for (int x = 0; x < width; x++) {
    const int blueness = cb[x] - 128, redness = cr[x] - 128;
    to[3 * x] = level(y[x] + ((mix.blue * blueness + HALF) >> SHIFT));
    to[3 * x + 1] = level(y[x] - ((mix.green_cb * blueness + mix.green_cr * redness + HALF) >> SHIFT));
    to[3 * x + 2] = level(y[x] + ((mix.red * redness + HALF) >> SHIFT));
  }
}

void repeat_row(const uint8_t* y, int width, uint8_t* to) {
  for (int x = 0; x < width; x++) to[3 * x] = to[3 * x + 1] = to[3 * x + 2] = y[x];
}

}  // namespace

const uint8_t* BgrConverter::convert(const GrayImage& gray, const Chroma& chroma) {
  const int width = gray.width, height = gray.height;
  pixels_.resize(static_cast<size_t>(width) * height * 3);
  cb_.resize(width);
  cr_.resize(width);
  for (int y = 0; y < height; y++) {
    const uint8_t* from = gray.data() + static_cast<size_t>(y) * gray.stride;
    uint8_t* to = pixels_.data() + static_cast<size_t>(y) * width * 3;
    if (chroma.is_empty()) {
      repeat_row(from, width, to);
      continue;
    }
    const size_t row =
        static_cast<size_t>(std::min((y + chroma.top) >> chroma.shift_y, chroma.height - 1)) * chroma.width;
    spread(&chroma.cb[row], chroma.width, chroma.left, chroma.shift_x, width, cb_.data());
    spread(&chroma.cr[row], chroma.width, chroma.left, chroma.shift_x, width, cr_.data());
    convert_row(chroma.is_bt709 ? BT709 : BT601, from, cb_.data(), cr_.data(), width, to);
  }
  return pixels_.data();
}

}  // namespace vedette
