#include "picture_noise.h"

#include <algorithm>

namespace vedette {

namespace {

// Of a tile, grey levels. A quarter of all tiles has no more than 6 in each of 74 real pictures at 1280x800 (9 at their
// own size, 10 at 640x400); of normal noise 9 with a deviation of 3, 11 with 3.5, 15 with 5; of even noise 8 within 5
// grey levels to either side, 25 within 15. Dim tags gain by a second look in any noise: where they have twice to five
// times its grey levels as contrast, half to a quarter more are found, from noise of 3 to noise of 15.
constexpr int NOISY_RANGE = 11;
constexpr int FLAT_SHARE = 4;  // one of so many tiles has nothing in it but noise
constexpr int ROWS = 32;       // of tiles, from top to bottom
constexpr int TILES = 256;     // at once
constexpr int GREYS = 256;

}  // namespace

bool is_noisy(const GreyView& picture, const RowKernels& kernels) {
  const int tiles = picture.width / TILE_PX, rows = picture.height / TILE_PX;
  int seen = 0, even = 0;
  for (int row = 0; row < rows; row += std::max(1, rows / ROWS))
    for (int first = 0; first < tiles; first += TILES) {
      uint8_t darkest[TILES], brightest[TILES];
      const int count = std::min(TILES, tiles - first);
      kernels.extremes(picture.row(row * TILE_PX) + first * TILE_PX, picture.stride, count, darkest, brightest);
      for (int i = 0; i < count; i++) {
        // what is black or white for the sensor says nothing of its noise
        const bool is_clipped = darkest[i] == 0 || brightest[i] == GREYS - 1;
        seen += !is_clipped;
        even += !is_clipped && brightest[i] - darkest[i] < NOISY_RANGE;
      }
    }
  return FLAT_SHARE * even < seen;
}

}  // namespace vedette
