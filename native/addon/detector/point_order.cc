#include "point_order.h"

#include <algorithm>
#include <utility>

namespace vedette {

namespace {

constexpr size_t FEW = 192;  // for which comparing is faster than counting

// The direction as a fraction of a whole turn, in so many bits: three rounds of counting.
constexpr int DIGIT_BITS = 10, DIGITS = 3;
constexpr uint32_t DIGIT_VALUES = 1U << DIGIT_BITS, DIGIT_MASK = DIGIT_VALUES - 1;
constexpr float QUARTER = 1U << (DIGIT_BITS * DIGITS - 2);

/**
 * Of a vector that is not (0, 0): rises with its angle, though not evenly, from 0 at the left clockwise on the screen. Only multiplied, added and divided, which
 * rounds alike everywhere.
 */
uint32_t direction_of(int x, int y) {
  // Each quarter begins where one of the two is 0 and ends where the other is.
  float risen, left;
  uint32_t quarter;
  if (x < 0 && y <= 0) quarter = 0, risen = static_cast<float>(-y), left = static_cast<float>(-x);
  else if (x >= 0 && y < 0) quarter = 1, risen = static_cast<float>(x), left = static_cast<float>(-y);
  else if (x > 0) quarter = 2, risen = static_cast<float>(y), left = static_cast<float>(x);
  else quarter = 3, risen = static_cast<float>(-x), left = static_cast<float>(y);
  const auto share = static_cast<uint32_t>(risen / (risen + left) * (QUARTER - 64));  // 64: what rounding may add at most
  return (quarter << (DIGIT_BITS * DIGITS - 2)) + share;
}

}  // namespace

const BorderPoint* PointOrder::sorted(const BorderPoint* points, size_t count, const BorderBox& box) {
  entries_.resize(count);
  // In quarters of a pixel, and aside by one, so that no point lies in the middle.
  const int middle_x = 2 * (box.left + box.right) - 1, middle_y = 2 * (box.top + box.bottom) + 1;
  for (size_t i = 0; i < count; i++) entries_[i] = {direction_of(4 * points[i].x - middle_x, 4 * points[i].y - middle_y), points[i]};
  if (count < FEW) {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      if (a.direction != b.direction) return a.direction < b.direction;
      return a.point.y != b.point.y ? a.point.y < b.point.y : a.point.x < b.point.x;
    });
  } else {
    spare_.resize(count);
    uint32_t starts[DIGITS][DIGIT_VALUES] = {};
    for (const Entry& entry : entries_)
      for (int digit = 0; digit < DIGITS; digit++) starts[digit][entry.direction >> (digit * DIGIT_BITS) & DIGIT_MASK]++;
    for (int digit = 0; digit < DIGITS; digit++) {
      uint32_t before = 0;
      for (uint32_t& start : starts[digit]) before += std::exchange(start, before);
      for (const Entry& entry : entries_) spare_[starts[digit][entry.direction >> (digit * DIGIT_BITS) & DIGIT_MASK]++] = entry;
      entries_.swap(spare_);
    }
  }
  sorted_.resize(count);
  for (size_t i = 0; i < count; i++) sorted_[i] = entries_[i].point;
  return sorted_.data();
}

}  // namespace vedette
