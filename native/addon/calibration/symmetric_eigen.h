// Eigenvalues of small symmetric matrices, by Jacobi's method: sure, and fast enough for a dozen rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace vedette {

/** values[i] belongs to the column i of vectors. */
struct SymmetricEigen {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;
};

/** a: symmetric, rows of equal length. */
inline SymmetricEigen symmetric_eigen(std::vector<std::vector<double>> a) {
  constexpr int MAX_SWEEPS = 60;
  const size_t size = a.size();
  SymmetricEigen to{std::vector<double>(size), std::vector<std::vector<double>>(size, std::vector<double>(size))};
  for (size_t i = 0; i < size; i++) to.vectors[i][i] = 1;
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    double beside = 0, on = 0;
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j < size; j++) (i == j ? on : beside) += a[i][j] * a[i][j];
    if (beside <= 1e-30 * on) break;
    for (size_t p = 0; p < size; p++)
      for (size_t q = p + 1; q < size; q++) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (size_t k = 0; k < size; k++) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (size_t k = 0; k < size; k++) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
        }
        for (size_t k = 0; k < size; k++) {
          const double kp = to.vectors[k][p], kq = to.vectors[k][q];
          to.vectors[k][p] = c * kp - s * kq;
          to.vectors[k][q] = s * kp + c * kq;
        }
      }
  }
  for (size_t i = 0; i < size; i++) to.values[i] = a[i][i];
  return to;
}

}  // namespace vedette
