// A picture in black, white and neither, by what is around each pixel; a row at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "grey_view.h"
#include "row_kernels.h"

namespace vedette {

/**
 * One bit a pixel, 64 to a word, the first in the lowest bit. A pixel that is in neither has little contrast around it.
 */
struct RowBits {
  const uint64_t* black;
  const uint64_t* white;
  int words;
};

/**
 * The adaptive threshold of libapriltag 3.3: a pixel is white when it is brighter than the middle between the darkest
 * and the brightest pixel of its tile of 4 by 4 and the eight tiles around, and nothing at all where these differ by
 * less than 5. Pixels right of and below the last whole tile go by the nearest one, also in that; libapriltag makes
 * noise of them where there is no contrast.
 *
 * Keeps its memory between pictures. Rows must be asked for in their order.
 */
class BlackWhite {
 public:
  explicit BlackWhite(const RowKernels& kernels) : kernels_(kernels) {}

  /**
   * picture: at least TILE_PX wide and high; stays until the last row was read. first: the first row that will be asked
   * for, a multiple of TILE_PX that has a whole tile.
   */
  void begin(const GreyView& picture, int first = 0);

  /** Valid until the next call. */
  RowBits row(int y);

 private:
  /** Of a row of tiles, with one more at either end that changes nothing. */
  struct Extremes {
    std::vector<uint8_t> darkest, brightest;
  };

  void read_tiles(int tile_row);
  void set_levels(int tile_row);

  const RowKernels& kernels_;
  GreyView picture_;
  int tiles_ = 0, tile_rows_ = 0;
  Extremes extremes_[3];  // of three rows of tiles, each in the place of its number modulo 3
  std::vector<uint8_t> darkest_, brightest_, levels_;
  std::vector<uint64_t> contrast_, black_, white_;
};

}  // namespace vedette
