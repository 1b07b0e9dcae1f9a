#include "image.h"

#include <cmath>

namespace vedette {

double ToSource::scale_at(double x, double y) const {
  if (is_affine()) return std::sqrt(std::abs(matrix[0] * matrix[4] - matrix[1] * matrix[3]));
  const auto at = [this](double px, double py) {
    apply(px, py);
    return std::array<double, 2>{px, py};
  };
  const auto left = at(x - 0.5, y), right = at(x + 0.5, y), top = at(x, y - 0.5), bottom = at(x, y + 0.5);
  const double area = (right[0] - left[0]) * (bottom[1] - top[1]) - (right[1] - left[1]) * (bottom[0] - top[0]);
  return std::sqrt(std::abs(area));
}

}  // namespace vedette
