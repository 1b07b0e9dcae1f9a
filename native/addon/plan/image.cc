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

FromSource::FromSource(const ToSource& to_source) : bend_(to_source.bend) {
  const auto& m = to_source.matrix;
  const double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  const double determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
  matrix_ = {c0, m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
             c1, m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
             c2, m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
  for (double& each : matrix_) each /= determinant;
}

bool FromSource::apply(double& x, double& y) const {
  if (bend_) bend_->undo(x, y);
  const auto& m = matrix_;
  const double w = m[6] * x + m[7] * y + m[8], u = (m[0] * x + m[1] * y + m[2]) / w;
  y = (m[3] * x + m[4] * y + m[5]) / w;
  x = u;
  return w > 0 && std::isfinite(x) && std::isfinite(y);
}

}  // namespace vedette
