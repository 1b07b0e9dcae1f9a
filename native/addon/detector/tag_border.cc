#include "tag_border.h"

#include <array>
#include <cmath>

namespace vedette {

namespace {

constexpr int MAX_MODULES = 16;

// The tags of real pictures have at most 0.11, small, aslant and blurred as some are; what is read out of textures has
// 0.14 and more.
constexpr double MAX_WRONG = 0.125;

/** Grey levels of one ring of modules. */
struct Ring {
  std::array<uint8_t, 4 * MAX_MODULES> levels;
  int count = 0;
  double sum = 0;

  double mean() const { return sum / count; }
};

/** The unit square onto four corners: the projective map, by its eight numbers. */
std::array<double, 8> square_to(const double (&c)[4][2]) {
  // The usual closed form for the unit square (u, v).
  const double dx1 = c[1][0] - c[2][0], dx2 = c[3][0] - c[2][0], sx = c[0][0] - c[1][0] + c[2][0] - c[3][0];
  const double dy1 = c[1][1] - c[2][1], dy2 = c[3][1] - c[2][1], sy = c[0][1] - c[1][1] + c[2][1] - c[3][1];
  const double determinant = dx1 * dy2 - dx2 * dy1, g = (sx * dy2 - dx2 * sy) / determinant,
               h = (dx1 * sy - sx * dy1) / determinant;
  return {c[1][0] - c[0][0] + g * c[1][0],
          c[3][0] - c[0][0] + h * c[3][0],
          c[0][0],
          c[1][1] - c[0][1] + g * c[1][1],
          c[3][1] - c[0][1] + h * c[3][1],
          c[0][1],
          g,
          h};
}

/** Modules whose middle lies `out` modules outside the border line, on all four sides. */
Ring read_ring(const GreyView& picture, int modules, const std::array<double, 8>& map, double out) {
  Ring ring;
  const auto add = [&](double u, double v) {
    const double w = map[6] * u + map[7] * v + 1;
    const double x = (map[0] * u + map[1] * v + map[2]) / w, y = (map[3] * u + map[4] * v + map[5]) / w;
    if (!(x >= 0 && y >= 0 && x < picture.width && y < picture.height)) return;
    const uint8_t level = picture.row(static_cast<int>(y))[static_cast<int>(x)];
    ring.levels[ring.count++] = level;
    ring.sum += level;
  };
  const double near = -out / modules, far = 1 + out / modules;
  for (int i = 0; i < modules; i++) {
    const double along = (i + 0.5) / modules;
    add(along, near), add(along, far), add(near, along), add(far, along);
  }
  return ring;
}

}  // namespace

BorderSquare square_of(const apriltag_family_t& family) { return {family.width_at_border, family.reversed_border}; }

double wrong_border_share(const GreyView& picture, const BorderSquare& square, const double (&corners)[4][2]) {
  if (square.modules < 1 || square.modules > MAX_MODULES) return 1;
  const std::array<double, 8> map = square_to(corners);
  const double white_out = square.is_light ? -0.5 : 0.5;
  const Ring white = read_ring(picture, square.modules, map, white_out),
             black = read_ring(picture, square.modules, map, -white_out);
  if (white.count == 0 || black.count == 0) return 1;
  const double middle = (white.mean() + black.mean()) / 2;
  int wrong = 0;
  for (int i = 0; i < white.count; i++) wrong += white.levels[i] <= middle;
  for (int i = 0; i < black.count; i++) wrong += black.levels[i] >= middle;
  return static_cast<double>(wrong) / (white.count + black.count);
}

bool has_border(const GreyView& picture, const BorderSquare& square, const double (&corners)[4][2]) {
  return wrong_border_share(picture, square, corners) <= MAX_WRONG;
}

bool is_whole_in(const GreyView& picture, const BorderSquare& square, const Homography& map) {
  const double far = 1 + 2.0 / square.modules;
  for (const double x : {-far, far})
    for (const double y : {-far, far}) {
      double u, v;
      map.apply(x, y, u, v);
      if (!(map.depth_at(x, y) > 0 && u >= 0 && v >= 0 && u <= picture.width && v <= picture.height)) return false;
    }
  return true;
}

}  // namespace vedette
