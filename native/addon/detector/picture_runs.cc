#include "picture_runs.h"

#include <algorithm>

namespace vedette {

namespace {

constexpr uint32_t MIN_PIXELS = 25;    // of a component, as libapriltag has it
constexpr int MAX_PICTURE_PX = 32767;  // of a side: places are kept in half pixels of 16 bits

// Of both colours, 8 bytes each, and as much again for what comes of them. Pictures of 1280x800 have 70,000, noise of
// that size half a million.
constexpr size_t MAX_RUNS = 2'000'000;

}  // namespace

bool PictureRuns::find(const GreyView& picture, SecondThread* second) {
  if (std::max(picture.width, picture.height) > MAX_PICTURE_PX) return false;
  Half &upper = halves_[0], &lower = halves_[1];
  const int middle = second ? picture.height / 2 / TILE_PX * TILE_PX : picture.height;
  in_parts(second,
           [&](int part) { part == 0 ? cut(picture, 0, middle, upper) : cut(picture, middle, picture.height, lower); });
  if (upper.size() + (second ? lower.size() : 0) > MAX_RUNS) return false;
  if (second) {
    second->both([&](int part) {
      Runs &above = part == 0 ? upper.black : upper.white, &below = part == 0 ? lower.black : lower.white;
      above.append(below);
      above.number_components(MIN_PIXELS);
    });
    return true;
  }
  upper.black.number_components(MIN_PIXELS);
  if (has_borders()) upper.white.number_components(MIN_PIXELS);
  return true;
}

void PictureRuns::cut(const GreyView& picture, int first, int last, Half& half) {
  half.black.clear();
  half.white.clear();
  half.black_white.begin(picture, first);
  for (int y = first; y < last && half.size() <= MAX_RUNS; y++) {
    const RowBits bits = half.black_white.row(y);
    half.black.add_row(bits.black, bits.words);
    half.white.add_row(bits.white, bits.words);
  }
}

}  // namespace vedette
