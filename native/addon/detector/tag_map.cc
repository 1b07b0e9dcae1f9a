#include "tag_map.h"

#include <algorithm>
#include <cmath>

#include "homography.h"

namespace vedette {

namespace {

constexpr double MIN_UNIT_PX = 2;

}  // namespace

bool TagMap::set(const Corners& corners, int border, int across) {
  middle_[0] = middle_[1] = unit_px_ = 0;
  for (const auto& corner : corners)
    for (int axis = 0; axis < 2; axis++) middle_[axis] += corner[axis] / 4;
  for (const auto& corner : corners)
    for (int axis = 0; axis < 2; axis++) unit_px_ = std::max(unit_px_, std::fabs(corner[axis] - middle_[axis]));
  if (!(unit_px_ > MIN_UNIT_PX)) return false;
  double square[4][2];
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 2; axis++) square[i][axis] = units(corners[3 - i][axis], axis);
  const std::optional<Homography> forward = homography_onto(square);
  if (!forward) return false;
  const auto& m = forward->m;
  // The other way round, and from the square of (-1, 1) to modules.
  const double inverse[3][3] = {{m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4]},
                                {m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5]},
                                {m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]}};
  const double w = inverse[2][2], half = (across - 2 * border) / 2.0, centre = across / 2.0;
  if (!(std::fabs(w) > 1e-9)) return false;
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < 3; i++) numbers[3 * axis + i] = (half * inverse[axis][i] + centre * inverse[2][i]) / w;
  numbers[6] = inverse[2][0] / w;
  numbers[7] = inverse[2][1] / w;
  return true;
}

bool TagMap::modules_at(double x, double y, double& u, double& v) const {
  const auto& n = numbers;
  const double w = 1 + n[6] * x + n[7] * y;
  if (!(w > MIN_DEPTH)) return false;
  u = (n[0] * x + n[1] * y + n[2]) / w;
  v = (n[3] * x + n[4] * y + n[5]) / w;
  return true;
}

bool TagMap::place_of(double u, double v, double (&place)[2], double (*by)[8]) const {
  const auto& n = numbers;
  const double a = n[0] - u * n[6], b = n[1] - u * n[7], c = u - n[2];
  const double d = n[3] - v * n[6], e = n[4] - v * n[7], f = v - n[5];
  const double determinant = a * e - b * d;
  if (!(std::fabs(determinant) > 1e-9)) return false;
  const double x = (c * e - b * f) / determinant, y = (a * f - c * d) / determinant;
  place[0] = middle_[0] + unit_px_ * x;
  place[1] = middle_[1] + unit_px_ * y;
  if (!by) return true;
  // The two equations, derived: a dx + b dy = -(x dn0 + y dn1 + dn2) + u (x dn6 + y dn7), and alike for v.
  const double first[8] = {-x, -y, -1, 0, 0, 0, u * x, u * y}, second[8] = {0, 0, 0, -x, -y, -1, v * x, v * y};
  for (int i = 0; i < 8; i++) {
    by[0][i] = unit_px_ * (first[i] * e - b * second[i]) / determinant;
    by[1][i] = unit_px_ * (a * second[i] - first[i] * d) / determinant;
  }
  return true;
}

}  // namespace vedette
