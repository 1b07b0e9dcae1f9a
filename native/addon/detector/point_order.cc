#include "point_order.h"

#include <utility>

namespace vedette {

namespace {

// So few are counted once, by part of their direction, and then moved to where they belong: a place or two.
constexpr size_t FEW = 192;
constexpr int PART_BITS = 8;

// The direction as a fraction of a whole turn, in so many bits: two rounds of counting.
constexpr int DIGIT_BITS = 10, DIGITS = 2;
constexpr uint32_t DIGIT_VALUES = 1U << DIGIT_BITS;
constexpr float QUARTER = 1U << (DIGIT_BITS * DIGITS - 2);

/**
 * Of a vector that is not (0, 0): rises with its angle, though not evenly, from 0 at the left clockwise on the screen.
 * Only multiplied, added and divided, which rounds alike everywhere.
 */
uint32_t direction_of(int x, int y) {
  // Each quarter begins where one of the two is 0 and ends where the other is.
  float risen, left;
  uint32_t quarter;
  if (x < 0 && y <= 0) quarter = 0, risen = static_cast<float>(-y), left = static_cast<float>(-x);
  else if (x >= 0 && y < 0) quarter = 1, risen = static_cast<float>(x), left = static_cast<float>(-y);
  else if (x > 0) quarter = 2, risen = static_cast<float>(y), left = static_cast<float>(x);
  else quarter = 3, risen = static_cast<float>(-x), left = static_cast<float>(y);
  const auto share = static_cast<uint32_t>(risen / (risen + left) * (QUARTER - 1));  // 1: what rounding may add at most
  return (quarter << (DIGIT_BITS * DIGITS - 2)) + share;
}

}  // namespace

template <size_t VALUES>
void PointOrder::count_out(uint32_t (&starts)[VALUES], int shift) {
  const auto value = [&](const Entry& entry) -> uint32_t& { return starts[entry.direction >> shift & (VALUES - 1)]; };
  for (const Entry& entry : entries_) value(entry)++;
  uint32_t before = 0;
  for (uint32_t& start : starts) before += std::exchange(start, before);
  spare_.resize(entries_.size());
  for (const Entry& entry : entries_) spare_[value(entry)++] = entry;
  entries_.swap(spare_);
}

const BorderPoint* PointOrder::sorted(const BorderPoint* points, size_t count, const BorderBox& box) {
  entries_.resize(count);
  // In quarters of a pixel, and aside by one, so that no point lies in the middle.
  const int middle_x = 2 * (box.left + box.right) - 1, middle_y = 2 * (box.top + box.bottom) + 1;
  for (size_t i = 0; i < count; i++)
    entries_[i] = {direction_of(4 * points[i].x - middle_x, 4 * points[i].y - middle_y), points[i]};
  if (count < FEW) {
    uint32_t starts[1 << PART_BITS] = {};
    count_out(starts, DIGIT_BITS * DIGITS - PART_BITS);
    for (size_t i = 1; i < count; i++) {
      const Entry entry = entries_[i];
      size_t at = i;
      for (; at > 0 && entries_[at - 1].direction > entry.direction; at--) entries_[at] = entries_[at - 1];
      entries_[at] = entry;
    }
  } else {
    for (int digit = 0; digit < DIGITS; digit++) {
      uint32_t starts[DIGIT_VALUES] = {};
      count_out(starts, digit * DIGIT_BITS);
    }
  }
  sorted_.resize(count);
  for (size_t i = 0; i < count; i++) sorted_[i] = entries_[i].point;
  return sorted_.data();
}

}  // namespace vedette
