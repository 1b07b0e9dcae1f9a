#include "line_sums.h"

namespace vedette {

void LineSums::errors_onward(int points, double* __restrict errors) const {
  const double *w = w_.data(), *x = x_.data(), *y = y_.data(), *xx = xx_.data(), *xy = xy_.data(), *yy = yy_.data();
  const double all = points;
  const size_t n = points, count = count_;
  for (size_t i = 0; i < count; i++)
    errors[i] = scatter_of(w[i + n] - w[i], x[i + n] - x[i], y[i + n] - y[i], xx[i + n] - xx[i], xy[i + n] - xy[i],
                           yy[i + n] - yy[i])
                    .across() /
                4 * all;
}

void LinesBetween::set(const LineSums& sums, const std::vector<int>& corners) {
  const int count = static_cast<int>(corners.size());
  // behind each corner, twice around
  double place[2 * MAX_CORNERS], w[2 * MAX_CORNERS], x[2 * MAX_CORNERS], y[2 * MAX_CORNERS], xx[2 * MAX_CORNERS],
      xy[2 * MAX_CORNERS], yy[2 * MAX_CORNERS];
  for (int i = 0; i < 2 * count; i++) {
    const size_t at = i < count ? corners[i] + 1 : corners[i - count] + 1 + sums.count_;
    place[i] = static_cast<double>(at), w[i] = sums.w_[at], x[i] = sums.x_[at], y[i] = sums.y_[at],
    xx[i] = sums.xx_[at], xy[i] = sums.xy_[at], yy[i] = sums.yy_[at];
  }
  for (int corner = 0; corner < count; corner++) {
    const size_t at = corners[corner];
    const double from = corners[corner], w0 = sums.w_[at], x0 = sums.x_[at], y0 = sums.y_[at], xx0 = sums.xx_[at],
                 xy0 = sums.xy_[at], yy0 = sums.yy_[at];
    double *mean_squares = mean_squares_[corner], *totals = totals_[corner], *normals_x = normals_x_[corner],
           *normals_y = normals_y_[corner];
    for (int i = 0; i < count - 1; i++) {
      const int to = corner + 1 + i;
      const Scatter scatter =
          LineSums::scatter_of(w[to] - w0, x[to] - x0, y[to] - y0, xx[to] - xx0, xy[to] - xy0, yy[to] - yy0);
      mean_squares[i] = scatter.across() / 4;
      totals[i] = mean_squares[i] * (place[to] - from);
    }
    for (int i = 0; i < count - 1 - corner; i++) {
      const int to = corner + 1 + i;
      const StraightLine line =
          LineSums::scatter_of(w[to] - w0, x[to] - x0, y[to] - y0, xx[to] - xx0, xy[to] - xy0, yy[to] - yy0).line();
      normals_x[i] = line.normal_x, normals_y[i] = line.normal_y;
    }
  }
}

}  // namespace vedette
