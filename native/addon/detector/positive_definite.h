// Linear equations of least squares.
#pragma once

#include <cmath>

namespace vedette {

/** A symmetric, positive definite matrix A, as Cholesky has it: A = L L^T, where L is zero above its diagonal. */
template <int N>
class PositiveDefinite {
 public:
  /** a: its lower triangle is read. False where it is not positive definite, or nearly not. */
  bool factor(const double (&a)[N][N]) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++) {
        double sum = a[i][j];
        for (int k = 0; k < j; k++) sum -= lower_[i][k] * lower_[j][k];
        if (i > j) {
          lower_[i][j] = sum / lower_[j][j];
          continue;
        }
        if (!(sum > MIN_PIVOT * a[i][i])) return false;
        lower_[i][i] = std::sqrt(sum);
      }
    return true;
  }

  /** Sets b to x where A x = b. */
  void solve(double (&b)[N]) const {
    solve_lower<0>(b);
    for (int i = N - 1; i >= 0; i--) {
      for (int k = i + 1; k < N; k++) b[i] -= lower_[k][i] * b[k];
      b[i] /= lower_[i][i];
    }
  }

  /**
   * Sets b to z where M z = b; M: L from row and column First on. Where A are the equations of least squares, the sum
   * of z's squares is the variance of what moves by b with the unknowns from First on, in that of a measurement.
   */
  template <int First, int Count>
  void solve_lower(double (&b)[Count]) const {
    static_assert(First + Count == N);
    for (int i = 0; i < Count; i++) {
      for (int j = 0; j < i; j++) b[i] -= lower_[First + i][First + j] * b[j];
      b[i] /= lower_[First + i][First + i];
    }
  }

 private:
  static constexpr double MIN_PIVOT = 1e-9;  // of what stands on A's diagonal

  double lower_[N][N];
};

}  // namespace vedette
