// Straight lines through points, and where two of them meet.
#pragma once

#include <cmath>

namespace vedette {

/** By a point and the unit normal. */
struct StraightLine {
  double x = 0, y = 0, normal_x = 0, normal_y = 0;
};

/** How points lie: their mean, and how far they are scattered around it. */
struct Scatter {
  double x, y, xx, xy, yy;

  /** Along the line through them, and across it. */
  double along() const { return (xx + yy) / 2 + root(); }
  double across() const { return (xx + yy) / 2 - root(); }

  /** The line that is nearest to them; the normal is no number where all are in one place. */
  StraightLine line() const {
    // Of the two ways to write the same direction the longer one, which is never nothing but for a point.
    const double ax = xx - along(), ay = xy, bx = xy, by = yy - along();
    const double a = ax * ax + ay * ay, b = bx * bx + by * by, length = std::sqrt(a > b ? a : b);
    return {x, y, (a > b ? ax : bx) / length, (a > b ? ay : by) / length};
  }

 private:
  double root() const { return std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy); }
};

/** sine: of the angle between the two lines; 0: they are parallel, and meet nowhere. */
struct Meeting {
  double sine, x, y;
};

inline Meeting meeting_of(const StraightLine& a, const StraightLine& b) {
  const double sine = a.normal_x * b.normal_y - a.normal_y * b.normal_x;
  const double at_a = a.normal_x * a.x + a.normal_y * a.y, at_b = b.normal_x * b.x + b.normal_y * b.y;
  return {sine, (at_a * b.normal_y - at_b * a.normal_y) / sine, (at_b * a.normal_x - at_a * b.normal_x) / sine};
}

}  // namespace vedette
