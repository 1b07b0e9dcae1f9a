#include "display_matrix.h"

#include <algorithm>
#include <cstdlib>

namespace vedette {

namespace {

constexpr int64_t ROUNDING = 100;  // programs write sines and cosines: what is a hundredth of the rest is nothing

}  // namespace

int orientation_of(const int32_t* matrix) {
  const int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  const int64_t straight = std::min(std::abs(a), std::abs(d)), across = std::min(std::abs(b), std::abs(c));
  if (straight > ROUNDING * std::max(std::abs(b), std::abs(c))) return a > 0 ? (d > 0 ? 1 : 4) : (d > 0 ? 2 : 3);
  if (across > ROUNDING * std::max(std::abs(a), std::abs(d))) return b > 0 ? (c > 0 ? 5 : 6) : (c > 0 ? 8 : 7);
  return 1;
}

}  // namespace vedette
