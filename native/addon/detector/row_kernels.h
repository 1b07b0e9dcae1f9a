// The two loops that touch every pixel, for the vector instructions that a processor has.
#pragma once

#include <cstdint>

namespace vedette {

constexpr int TILE_PX = 4;
constexpr int WORD_PX = 64;  // of a row, one bit each

enum class VectorPath { scalar, sse41, avx2, neon };

/** All paths give the same bits. */
struct RowKernels {
  /** The darkest and the brightest pixel of each tile of one row of tiles. pixels: its first row; tiles: whole ones. */
  void (*extremes)(const uint8_t* pixels, int stride, int tiles, uint8_t* darkest, uint8_t* brightest);
  /**
   * Bit x % WORD_PX of bits[x / WORD_PX] is set where pixel x is brighter than the level of its tile. levels: (width +
   * 3) / 4 of them. Writes whole words; bits beyond the width are 0.
   */
  void (*brighter)(const uint8_t* pixels, int width, const uint8_t* levels, uint64_t* bits);
};

/** The fastest that this processor has. */
VectorPath best_vector_path();

/** Those of a path; none when this processor, or this build, does not have it. */
const RowKernels* row_kernels(VectorPath path);

}  // namespace vedette
