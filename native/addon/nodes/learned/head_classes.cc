// The head of classifiers: a number for each class.
#include <algorithm>
#include <cmath>

#include "head_shapes.h"
#include "heads.h"

namespace vedette {

namespace {

constexpr size_t MAX_CLASSES = 100'000;

/** Shares of 1 add up to it, but for what single precision loses. */
constexpr double SUM_TOLERANCE = 1e-2;

bool are_shares(const float* numbers, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(numbers[i] >= 0 && numbers[i] <= 1)) return false;
    sum += numbers[i];
  }
  return std::fabs(sum - 1) < SUM_TOLERANCE;
}

bool goes_before(const Guess& a, const Guess& b) { return a.share != b.share ? a.share > b.share : a.label < b.label; }

}  // namespace

const std::vector<Guess>& ClassReader::read(const Tensor& tensor, size_t most, double least) {
  const size_t classes = tensor.count();
  const bool is_row = tensor.rank > 0 && classes > 0 && classes <= MAX_CLASSES &&
                      *std::max_element(tensor.dims.begin(), tensor.dims.begin() + tensor.rank) == classes;
  if (!is_row || tensor.element != Element::f32) refuse_shape(tensor, "1 x classes");
  const float* numbers = tensor.floats();
  guesses_.clear();
  if (!std::all_of(numbers, numbers + classes, [](float number) { return std::isfinite(number); })) return guesses_;
  const bool has_shares = are_shares(numbers, classes);
  const double highest = *std::max_element(numbers, numbers + classes);
  double sum = 0;
  for (size_t i = 0; i < classes; i++) {
    const double share = has_shares ? numbers[i] : std::exp(numbers[i] - highest);
    guesses_.push_back({static_cast<int>(i), share});
    sum += share;
  }
  if (!has_shares)
    for (Guess& guess : guesses_) guess.share /= sum;
  const size_t kept = std::min(most, classes);
  std::partial_sort(guesses_.begin(), guesses_.begin() + static_cast<std::ptrdiff_t>(kept), guesses_.end(),
                    goes_before);
  guesses_.resize(kept);
  while (!guesses_.empty() && guesses_.back().share < least) guesses_.pop_back();
  return guesses_;
}

}  // namespace vedette
