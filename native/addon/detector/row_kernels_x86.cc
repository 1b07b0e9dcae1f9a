// The paths for SSE4.1 and AVX2. The instructions are allowed for each function alone: a whole file with them could
// leave its copy of an inline function to everybody.
#include "row_kernels_paths.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace vedette {

namespace {

// A tile is a 32-bit lane of what four rows have in common; shifted onto itself by two pixels and by one, its lowest
// byte has that of all four columns.

__attribute__((target("sse4.1"))) void extremes_sse41(const uint8_t* pixels, int stride, int tiles, uint8_t* darkest,
                                                      uint8_t* brightest) {
  constexpr int TILES = 16;  // four vectors of four
  const __m128i low = _mm_set1_epi32(0xFF);
  int tile = 0;
  for (; tile + TILES <= tiles; tile += TILES) {
    __m128i least[4], most[4];
    for (int part = 0; part < 4; part++) {
      const uint8_t* at = pixels + (tile + 4 * part) * TILE_PX;
      __m128i dark = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), bright = dark;
      for (int y = 1; y < TILE_PX; y++) {
        const __m128i row = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + static_cast<size_t>(y) * stride));
        dark = _mm_min_epu8(dark, row);
        bright = _mm_max_epu8(bright, row);
      }
      dark = _mm_min_epu8(dark, _mm_srli_epi32(dark, 16));
      bright = _mm_max_epu8(bright, _mm_srli_epi32(bright, 16));
      least[part] = _mm_and_si128(_mm_min_epu8(dark, _mm_srli_epi32(dark, 8)), low);
      most[part] = _mm_and_si128(_mm_max_epu8(bright, _mm_srli_epi32(bright, 8)), low);
    }
    const __m128i darks = _mm_packus_epi16(_mm_packus_epi32(least[0], least[1]), _mm_packus_epi32(least[2], least[3]));
    const __m128i brights = _mm_packus_epi16(_mm_packus_epi32(most[0], most[1]), _mm_packus_epi32(most[2], most[3]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(darkest + tile), darks);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(brightest + tile), brights);
  }
  extremes_from(tile, pixels, stride, tiles, darkest, brightest);
}

__attribute__((target("sse4.1"))) void brighter_sse41(const uint8_t* pixels, int width, const uint8_t* levels,
                                                      uint64_t* bits) {
  const __m128i spread = _mm_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), four = _mm_set1_epi8(4);
  int x = 0;
  for (; x + WORD_PX <= width; x += WORD_PX) {
    const __m128i tiles = _mm_loadu_si128(reinterpret_cast<const __m128i*>(levels + x / TILE_PX));
    __m128i which = spread;
    uint64_t dark = 0;
    for (int part = 0; part < 4; part++) {
      const __m128i row = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels + x + 16 * part));
      const __m128i not_above = _mm_cmpeq_epi8(_mm_subs_epu8(row, _mm_shuffle_epi8(tiles, which)), _mm_setzero_si128());
      dark |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(not_above))) << (16 * part);
      which = _mm_add_epi8(which, four);
    }
    bits[x / WORD_PX] = ~dark;
  }
  brighter_from(x, pixels, width, levels, bits);
}

__attribute__((target("avx2"))) void extremes_avx2(const uint8_t* pixels, int stride, int tiles, uint8_t* darkest,
                                                   uint8_t* brightest) {
  constexpr int TILES = 32;  // four vectors of eight
  const __m256i low = _mm256_set1_epi32(0xFF), in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int tile = 0;
  for (; tile + TILES <= tiles; tile += TILES) {
    __m256i least[4], most[4];
    for (int part = 0; part < 4; part++) {
      const uint8_t* at = pixels + (tile + 8 * part) * TILE_PX;
      __m256i dark = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), bright = dark;
      for (int y = 1; y < TILE_PX; y++) {
        const __m256i row = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + static_cast<size_t>(y) * stride));
        dark = _mm256_min_epu8(dark, row);
        bright = _mm256_max_epu8(bright, row);
      }
      dark = _mm256_min_epu8(dark, _mm256_srli_epi32(dark, 16));
      bright = _mm256_max_epu8(bright, _mm256_srli_epi32(bright, 16));
      least[part] = _mm256_and_si256(_mm256_min_epu8(dark, _mm256_srli_epi32(dark, 8)), low);
      most[part] = _mm256_and_si256(_mm256_max_epu8(bright, _mm256_srli_epi32(bright, 8)), low);
    }
    // Packing works in each half by itself, so that fours of tiles have to be put in order.
    const __m256i darks =
        _mm256_packus_epi16(_mm256_packus_epi32(least[0], least[1]), _mm256_packus_epi32(least[2], least[3]));
    const __m256i brights =
        _mm256_packus_epi16(_mm256_packus_epi32(most[0], most[1]), _mm256_packus_epi32(most[2], most[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(darkest + tile), _mm256_permutevar8x32_epi32(darks, in_order));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(brightest + tile), _mm256_permutevar8x32_epi32(brights, in_order));
  }
  extremes_from(tile, pixels, stride, tiles, darkest, brightest);
}

__attribute__((target("avx2"))) void brighter_avx2(const uint8_t* pixels, int width, const uint8_t* levels,
                                                   uint64_t* bits) {
  const __m256i spread =
      _mm256_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7);
  const __m256i eight = _mm256_set1_epi8(8);
  int x = 0;
  for (; x + WORD_PX <= width; x += WORD_PX) {
    const __m256i tiles =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels + x / TILE_PX)));
    __m256i which = spread;
    uint64_t dark = 0;
    for (int part = 0; part < 2; part++) {
      const __m256i row = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pixels + x + 32 * part));
      const __m256i not_above =
          _mm256_cmpeq_epi8(_mm256_subs_epu8(row, _mm256_shuffle_epi8(tiles, which)), _mm256_setzero_si256());
      dark |= static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(not_above))) << (32 * part);
      which = _mm256_add_epi8(which, eight);
    }
    bits[x / WORD_PX] = ~dark;
  }
  brighter_from(x, pixels, width, levels, bits);
}

}  // namespace

const RowKernels SSE41_KERNELS{extremes_sse41, brighter_sse41};
const RowKernels AVX2_KERNELS{extremes_avx2, brighter_avx2};

}  // namespace vedette

#endif
