#include "black_white.h"

#include <algorithm>

namespace vedette {

namespace {

// grey levels; as min_white_black_diff of libapriltag. Lower, and the noise of dim pictures is everywhere
constexpr int MIN_CONTRAST = 5;

}  // namespace

void BlackWhite::begin(const GreyView& picture, int first) {
  picture_ = picture;
  tiles_ = picture.width / TILE_PX;
  tile_rows_ = picture.height / TILE_PX;
  for (Extremes& row : extremes_) {
    row.darkest.assign(tiles_ + 2, 255);
    row.brightest.assign(tiles_ + 2, 0);
  }
  darkest_.resize(tiles_ + 2);
  brightest_.resize(tiles_ + 2);
  levels_.resize((picture.width + TILE_PX - 1) / TILE_PX);
  const size_t words = (picture.width + WORD_PX - 1) / WORD_PX;
  contrast_.resize(words);
  black_.resize(words);
  white_.resize(words);
  if (first > 0) read_tiles(first / TILE_PX - 1);
  read_tiles(first / TILE_PX);
}

RowBits BlackWhite::row(int y) {
  if (y % TILE_PX == 0 && y / TILE_PX < tile_rows_) {
    if (y / TILE_PX + 1 < tile_rows_) read_tiles(y / TILE_PX + 1);
    set_levels(y / TILE_PX);
  }
  kernels_.brighter(picture_.row(y), picture_.width, levels_.data(), white_.data());
  for (size_t word = 0; word < contrast_.size(); word++) {
    black_[word] = contrast_[word] & ~white_[word];
    white_[word] &= contrast_[word];
  }
  return {black_.data(), white_.data(), static_cast<int>(contrast_.size())};
}

void BlackWhite::read_tiles(int tile_row) {
  Extremes& row = extremes_[tile_row % 3];
  kernels_.extremes(picture_.row(tile_row * TILE_PX), picture_.stride, tiles_, row.darkest.data() + 1,
                    row.brightest.data() + 1);
}

void BlackWhite::set_levels(int tile_row) {
  const int first = std::max(0, tile_row - 1), last = std::min(tile_rows_ - 1, tile_row + 1);
  const Extremes &above = extremes_[first % 3], &here = extremes_[tile_row % 3], &below = extremes_[last % 3];
  uint8_t *darkest = darkest_.data(), *brightest = brightest_.data();
  const int count = tiles_ + 2;
  for (int i = 0; i < count; i++) darkest[i] = std::min({above.darkest[i], here.darkest[i], below.darkest[i]});
  for (int i = 0; i < count; i++) brightest[i] = std::max({above.brightest[i], here.brightest[i], below.brightest[i]});

  std::fill(contrast_.begin(), contrast_.end(), 0);
  const int columns = static_cast<int>(levels_.size());
  for (int column = 0; column < columns; column++) {
    const int tile = std::min(column, tiles_ - 1) + 1;
    const int least = std::min({darkest[tile - 1], darkest[tile], darkest[tile + 1]});
    const int most = std::max({brightest[tile - 1], brightest[tile], brightest[tile + 1]});
    levels_[column] = static_cast<uint8_t>(least + (most - least) / 2);
    const uint64_t has_contrast = most - least >= MIN_CONTRAST ? 0xF : 0;
    contrast_[column * TILE_PX / WORD_PX] |= has_contrast << (column * TILE_PX % WORD_PX);
  }
  if (picture_.width % WORD_PX != 0) contrast_.back() &= (uint64_t{1} << (picture_.width % WORD_PX)) - 1;
}

}  // namespace vedette
