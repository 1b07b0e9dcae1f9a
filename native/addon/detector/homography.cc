#include "homography.h"

#include <cmath>

namespace vedette {

namespace {

constexpr double MIN_DETERMINANT = 1e-10;

}  // namespace

Homography Homography::turned(int quarters) const {
  Homography turned = *this;
  for (int i = 0; i < quarters; i++)
    for (int row = 0; row < 3; row++) {
      const double x = turned.m[3 * row], y = turned.m[3 * row + 1];
      turned.m[3 * row] = y;
      turned.m[3 * row + 1] = -x;
    }
  return turned;
}

Homography Homography::moved(double left, double top) const {
  Homography moved = *this;
  for (int column = 0; column < 3; column++) {
    moved.m[column] += left * m[6 + column];
    moved.m[3 + column] += top * m[6 + column];
  }
  return moved;
}

std::optional<Homography> homography_onto(const double (&c)[4][2]) {
  // The usual closed form for the unit square.
  const double dx1 = c[1][0] - c[2][0], dx2 = c[3][0] - c[2][0], sx = c[0][0] - c[1][0] + c[2][0] - c[3][0];
  const double dy1 = c[1][1] - c[2][1], dy2 = c[3][1] - c[2][1], sy = c[0][1] - c[1][1] + c[2][1] - c[3][1];
  const double determinant = dx1 * dy2 - dx2 * dy1;
  if (!(std::fabs(determinant) >= MIN_DETERMINANT)) return {};
  const double g = (sx * dy2 - dx2 * sy) / determinant, h = (dx1 * sy - sx * dy1) / determinant;
  const double a = c[1][0] - c[0][0] + g * c[1][0], b = c[3][0] - c[0][0] + h * c[3][0];
  const double d = c[1][1] - c[0][1] + g * c[1][1], e = c[3][1] - c[0][1] + h * c[3][1];
  // u = (x + 1) / 2: half of each factor, and what is left goes to the constant.
  const double w = 1 + (g + h) / 2;
  if (!(std::fabs(w) >= MIN_DETERMINANT)) return {};
  return Homography{{a / 2 / w, b / 2 / w, (c[0][0] + (a + b) / 2) / w, d / 2 / w, e / 2 / w,
                     (c[0][1] + (d + e) / 2) / w, g / 2 / w, h / 2 / w, 1}};
}

}  // namespace vedette
