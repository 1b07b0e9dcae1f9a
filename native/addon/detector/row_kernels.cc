#include "row_kernels.h"

#include <algorithm>

#include "row_kernels_paths.h"

namespace vedette {

void extremes_from(int first, const uint8_t* pixels, int stride, int tiles, uint8_t* darkest, uint8_t* brightest) {
  for (int tile = first; tile < tiles; tile++) {
    uint8_t least = 255, most = 0;
    for (int y = 0; y < TILE_PX; y++)
      for (int x = 0; x < TILE_PX; x++) {
        const uint8_t level = pixels[static_cast<size_t>(y) * stride + tile * TILE_PX + x];
        least = std::min(least, level);
        most = std::max(most, level);
      }
    darkest[tile] = least;
    brightest[tile] = most;
  }
}

void brighter_from(int first, const uint8_t* pixels, int width, const uint8_t* levels, uint64_t* bits) {
  for (int x = first; x < width; x += WORD_PX) {
    uint64_t word = 0;
    const int count = std::min(WORD_PX, width - x);
    for (int i = 0; i < count; i++) word |= static_cast<uint64_t>(pixels[x + i] > levels[(x + i) / TILE_PX]) << i;
    bits[x / WORD_PX] = word;
  }
}

namespace {

void extremes(const uint8_t* pixels, int stride, int tiles, uint8_t* darkest, uint8_t* brightest) {
  extremes_from(0, pixels, stride, tiles, darkest, brightest);
}

void brighter(const uint8_t* pixels, int width, const uint8_t* levels, uint64_t* bits) {
  brighter_from(0, pixels, width, levels, bits);
}

constexpr RowKernels SCALAR{extremes, brighter};

}  // namespace

#if defined(__x86_64__)

VectorPath best_vector_path() {
  static const VectorPath BEST = __builtin_cpu_supports("avx2")     ? VectorPath::avx2
                                 : __builtin_cpu_supports("sse4.1") ? VectorPath::sse41
                                                                    : VectorPath::scalar;
  return BEST;
}

const RowKernels* row_kernels(VectorPath path) {
  switch (path) {
    case VectorPath::scalar:
      return &SCALAR;
    case VectorPath::sse41:
      return __builtin_cpu_supports("sse4.1") ? &SSE41_KERNELS : nullptr;
    case VectorPath::avx2:
      return __builtin_cpu_supports("avx2") ? &AVX2_KERNELS : nullptr;
    case VectorPath::neon:
      return nullptr;
  }
  return nullptr;
}

#elif defined(__aarch64__)

VectorPath best_vector_path() { return VectorPath::neon; }

const RowKernels* row_kernels(VectorPath path) {
  return path == VectorPath::scalar ? &SCALAR : path == VectorPath::neon ? &NEON_KERNELS : nullptr;
}

#else

VectorPath best_vector_path() { return VectorPath::scalar; }

const RowKernels* row_kernels(VectorPath path) { return path == VectorPath::scalar ? &SCALAR : nullptr; }

#endif

}  // namespace vedette
