// What the files of the vector paths share with the one that chooses among them.
#pragma once

#include <cstddef>

#include "row_kernels.h"

namespace vedette {

/** As RowKernels says, from one tile on: for what is left of a row behind its last whole vector. */
void extremes_from(int first, const uint8_t* pixels, int stride, int tiles, uint8_t* darkest, uint8_t* brightest);

/** The same from one pixel on, a multiple of 64. */
void brighter_from(int first, const uint8_t* pixels, int width, const uint8_t* levels, uint64_t* bits);

#if defined(__x86_64__)
extern const RowKernels SSE41_KERNELS, AVX2_KERNELS;
#elif defined(__aarch64__)
extern const RowKernels NEON_KERNELS;
#endif

}  // namespace vedette
