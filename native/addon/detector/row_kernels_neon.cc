// The path for NEON, which every 64-bit ARM has.
#include "row_kernels_paths.h"

#if defined(__aarch64__)

#include <arm_neon.h>

namespace vedette {

namespace {

void extremes_neon(const uint8_t* pixels, int stride, int tiles, uint8_t* darkest, uint8_t* brightest) {
  constexpr int TILES = 16;
  int tile = 0;
  for (; tile + TILES <= tiles; tile += TILES) {
    uint8x16_t least[4], most[4];
    for (int part = 0; part < 4; part++) {
      const uint8_t* at = pixels + (tile + 4 * part) * TILE_PX;
      least[part] = most[part] = vld1q_u8(at);
      for (int y = 1; y < TILE_PX; y++) {
        const uint8x16_t row = vld1q_u8(at + static_cast<size_t>(y) * stride);
        least[part] = vminq_u8(least[part], row);
        most[part] = vmaxq_u8(most[part], row);
      }
    }
    vst1q_u8(darkest + tile, vpminq_u8(vpminq_u8(least[0], least[1]), vpminq_u8(least[2], least[3])));
    vst1q_u8(brightest + tile, vpmaxq_u8(vpmaxq_u8(most[0], most[1]), vpmaxq_u8(most[2], most[3])));
  }
  extremes_from(tile, pixels, stride, tiles, darkest, brightest);
}

void brighter_neon(const uint8_t* pixels, int width, const uint8_t* levels, uint64_t* bits) {
  static const uint8_t SPREAD[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3},
                       BITS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t four = vdupq_n_u8(4), bit = vld1q_u8(BITS);
  int x = 0;
  for (; x + WORD_PX <= width; x += WORD_PX) {
    const uint8x16_t tiles = vld1q_u8(levels + x / TILE_PX);
    uint8x16_t which = vld1q_u8(SPREAD), above[4];
    for (int part = 0; part < 4; part++) {
      above[part] = vandq_u8(vcgtq_u8(vld1q_u8(pixels + x + 16 * part), vqtbl1q_u8(tiles, which)), bit);
      which = vaddq_u8(which, four);
    }
    // Three sums of neighbours make one byte of eight pixels.
    const uint8x16_t bytes = vpaddq_u8(vpaddq_u8(above[0], above[1]), vpaddq_u8(above[2], above[3]));
    bits[x / WORD_PX] = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(bytes, bytes)), 0);
  }
  brighter_from(x, pixels, width, levels, bits);
}

}  // namespace

const RowKernels NEON_KERNELS{extremes_neon, brighter_neon};

}  // namespace vedette

#endif
