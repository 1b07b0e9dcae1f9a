// How far corners that were found are from where they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace vedette::test {

/** How far corners are off, in pixels. */
struct CornersOff {
  double sum_u = 0, sum_v = 0, squares = 0, worst = 0;
  size_t count = 0;

  void add(double u, double v) {
    sum_u += u, sum_v += v, squares += u * u + v * v, count++;
    worst = std::max(worst, std::hypot(u, v));
  }
  double rms() const { return std::sqrt(squares / static_cast<double>(count)); }
  double bias() const { return std::max(std::fabs(sum_u), std::fabs(sum_v)) / static_cast<double>(count); }
  std::string text() const {
    char line[160];
    std::snprintf(line, sizeof line, "%zu corners, bias %.4f %.4f, rms %.4f, worst %.3f px", count,
                  sum_u / static_cast<double>(count), sum_v / static_cast<double>(count), rms(), worst);
    return line;
  }
};

}  // namespace vedette::test
