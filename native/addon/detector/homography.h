// The map of a flat square onto four corners in a picture.
#pragma once

#include <array>
#include <optional>

namespace vedette {

/** Takes places of the square from (-1, -1) to (1, 1) to pixels: row by row, the last is 1. */
struct Homography {
  std::array<double, 9> m{};

  void apply(double x, double y, double& u, double& v) const {
    const double w = m[6] * x + m[7] * y + m[8];
    u = (m[0] * x + m[1] * y + m[2]) / w;
    v = (m[3] * x + m[4] * y + m[5]) / w;
  }

  /** Of that of the square's middle; not above 0: beyond the horizon of its plane. */
  double depth_at(double x, double y) const { return (m[6] * x + m[7] * y + m[8]) / m[8]; }

  /** The same with the square turned by quarters before, as libapriltag turns it. */
  Homography turned(int quarters) const;

  /** The same onto pixels of a picture in which those of this one begin at (left, top). */
  Homography moved(double left, double top) const;
};

/** corners: of (-1, -1), (1, -1), (1, 1), (-1, 1). None where three of them lie in a line. */
std::optional<Homography> homography_onto(const double (&corners)[4][2]);

}  // namespace vedette
