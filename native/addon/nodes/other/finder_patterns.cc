#include "finder_patterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vedette {

namespace {

/** Stretches of one colour after the other: what they are in modules, and by which share of one they may be off. */
template <int Count>
struct Pattern {
  double modules[Count];
  double tolerance;

  bool fits(const int (&lengths)[Count]) const {
    const double all = std::accumulate(modules, modules + Count, 0.0),
                 module_px = std::accumulate(lengths, lengths + Count, 0) / all;
    for (int i = 0; i < Count; i++)
      if (lengths[i] == 0 || std::fabs(lengths[i] - modules[i] * module_px) > tolerance * module_px + TOLERANCE_PX)
        return false;
    return true;
  }

  static constexpr double TOLERANCE_PX = 0.5;
};

// A line through all of it, as zxing-cpp takes it where it is seen aslant; and from the middle outwards. In noise, and
// in what is as rough as asphalt, lines alone are there more often than on a sheet full of codes.
constexpr int PARTS = 5, MIDDLE = 2, RINGS = 3, RAYS = 16;
constexpr Pattern<PARTS> LINE{{1, 1, 3, 1, 1}, 0.75};
constexpr Pattern<RINGS> RAY{{1.5, 1, 1}, 0.5};

constexpr int ROW_STEP = 3;
constexpr double LONGER = 2;  // than half of what is seen in the row, aslant or turned

// To either side, over which dark and bright are told apart: zxing-cpp takes 20. Patterns that are too large for it are
// never many.
constexpr int REACH_PX = 32;

/** Where its middle may be. level: what is brighter is not dark. reach_px: of the whole, from there. */
struct Place {
  int x, y, level, reach_px;
  bool is_dark;
};

/** Sets how far each ring goes along a way from the middle; what is beyond the last one is not looked at. */
void follow(const Image& image, const Place& from, double step_x, double step_y, int (&lengths)[RINGS]) {
  std::fill(lengths, lengths + RINGS, 0);
  bool is_dark = from.is_dark;
  for (int i = 1, ring = 0; i <= from.reach_px; i++) {
    const int x = from.x + static_cast<int>(std::lround(i * step_x)),
              y = from.y + static_cast<int>(std::lround(i * step_y));
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    if ((image.pixels[static_cast<size_t>(y) * image.stride + x] <= from.level) != is_dark) {
      is_dark = !is_dark;
      if (++ring == RINGS) return;
    }
    lengths[ring]++;
  }
}

/** Whether a line down through a place shows the pattern, too. It goes to the middle of that. */
bool is_seen_down(const Image& image, Place& at) {
  int up[RINGS], down[RINGS];
  follow(image, at, 0, -1, up);
  follow(image, at, 0, 1, down);
  at.y += (down[0] - up[0]) / 2;
  return LINE.fits({up[2], up[1], up[0] + 1 + down[0], down[1], down[2]});
}

bool is_seen_around(const Image& image, const Place& at) {
  for (int i = 0; i < RAYS; i++) {
    const double angle = 2 * M_PI * i / RAYS;
    int lengths[RINGS];
    follow(image, at, std::cos(angle), std::sin(angle), lengths);
    if (!RAY.fits(lengths)) return false;
  }
  return true;
}

}  // namespace

bool FinderPatterns::are_more_than(size_t most, const Image& image) {
  found_.clear();
  for (int y = ROW_STEP - 1; y < image.height; y += ROW_STEP) {
    set_runs(image.pixels + static_cast<size_t>(y) * image.stride, image.width);
    for (size_t i = 0; i + PARTS <= runs_.size(); i++) {
      int lengths[PARTS];
      for (int part = 0; part < PARTS; part++) lengths[part] = runs_[i + part].length;
      if (!LINE.fits(lengths)) continue;
      const Run& run = runs_[i + MIDDLE];
      const double side_px = std::accumulate(lengths, lengths + PARTS, 0);
      Place at{run.begin + run.length / 2, y, run.level, static_cast<int>(LONGER * side_px / 2), run.is_dark};
      if (is_known(at.x, at.y) || !is_seen_down(image, at) || !is_seen_around(image, at)) continue;
      found_.push_back({static_cast<double>(at.x), static_cast<double>(at.y), side_px});
      if (found_.size() > most) return true;
    }
  }
  return false;
}

/** Dark is what is no brighter than the mean of its surroundings in the row. */
void FinderPatterns::set_runs(const uint8_t* row, int width) {
  sums_.resize(static_cast<size_t>(width) + 1);
  sums_[0] = 0;
  for (int x = 0; x < width; x++) sums_[x + 1] = sums_[x] + row[x];
  runs_.clear();
  for (int x = 0; x < width; x++) {
    const int left = std::max(0, x - REACH_PX), right = std::min(width, x + REACH_PX + 1);
    const int level = (sums_[right] - sums_[left]) / (right - left);
    const bool is_dark = row[x] <= level;
    if (runs_.empty() || runs_.back().is_dark != is_dark) runs_.push_back({x, 0, level, is_dark});
    runs_.back().length++;
  }
}

bool FinderPatterns::is_known(double x, double y) const {
  return std::any_of(found_.begin(), found_.end(),
                     [&](const Found& each) { return std::hypot(each.x - x, each.y - y) < each.side_px / 2; });
}

}  // namespace vedette
