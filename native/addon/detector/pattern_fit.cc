#include "pattern_fit.h"

#include <algorithm>
#include <cmath>

#include "positive_definite.h"
#include "printed_pattern.h"
#include "tag_map.h"

namespace vedette {

namespace {

// Of pixels: more are a tag that its edges tell well enough, and of more than are used every second or third is as
// exact as anyone asks.
constexpr int MIN_PIXELS = 60, MAX_PIXELS = 4096, MAX_USED = 1600;
constexpr double MIN_INSIDE = 0.7;  // of the tag, in the picture
// Far from the end every third pixel says as much, and where noise is low, no more is needed: an error of so much more
// would not be seen beside the others (pixels). Along slanted lines: every third column of a level tag has one place
// between pixels.
constexpr int PARTS = 3, PART_SIZE = 1024, MIN_PART = 150;
constexpr double ENOUGH_PX = 0.014;
constexpr int COARSE_ROUNDS = 6, FINE_ROUNDS = 7;
// The last step: a fifth of it is left then, and half of this brings nothing but rounds. Finely: of all pixels, by the
// equations of a third of them.
constexpr double SETTLED_PX = 0.04, SETTLED_FINELY_PX = 0.015;
constexpr double MAX_STEP_PX = 1, MAX_MOVED_PX = 1;
constexpr double FIRST_BLUR_PX = 0.6, MIN_BLUR_PX = 0.2, MAX_BLUR_PX = 4;
constexpr float REACH = 3;  // of a pixel, in standard deviations of its blur: (1 - x * x) cubed has a variance of 1/9
// Tukey's weights, 95 % as good as least squares where errors are normal; the median of their sizes tells their
// deviation.
constexpr double TUKEY = 4.685, MEDIAN_TELLS = 1.4826;
constexpr double MIN_SCALE = 1, MIN_SCALE_OF_CONTRAST = 0.01;  // grey levels are whole numbers; no print is that good
constexpr float MIN_KNOWN = 0.85f;
// Where pixels are shared out by their middles, the mean of the white ones is not yet white.
constexpr double MIDDLES_TELL = 1 / 1.3;

// Unknowns: the levels of black (at the middle, and by how much it grows along x and y), those of the contrast, the
// blur (its logarithm), the map from pixels to modules, and how much brighter than the tag's rim it is beyond it: what
// a blurred pixel near the rim sees of that would else shrink the tag, by 0.02 px and more. One more row is the misfit.
constexpr int CONTRAST = 3, LEVELS = 6, BLUR = 6, PLACE = 7, BEYOND = 15, UNKNOWNS = 16, MISFIT = 16, ROWS = 17;
// How far what is beyond the rim may be from it, of the contrast, where nothing is seen of it.
constexpr double BEYOND_MAY_BE = 0.5;

constexpr Ints IN_ORDER = {0, 1, 2, 3};
constexpr int BLOCK = 32;  // pixels that are summed up at once

/** The same as TagMap says, for four pixels. w: by which both are multiplied there. */
struct TagPlace {
  Floats u, v, w;

  TagPlace(const float (&map)[8], Floats x, Floats y) : w(1 / (1 + map[6] * x + map[7] * y)) {
    u = (map[0] * x + map[1] * y + map[2]) * w;
    v = (map[3] * x + map[4] * y + map[5]) * w;
  }
};

Floats roots_of(Floats squares) {
  Floats out;
  for (int lane = 0; lane < LANES; lane++) out[lane] = std::sqrt(squares[lane]);
  return out;
}

/** Pixels of a tag. x, y: from its middle, in the fit's units. */
struct Pixels {
  alignas(16) float x[PART_SIZE], y[PART_SIZE], grey[PART_SIZE];
  int count = 0;

  bool add(double px, double py, uint8_t level) {
    if (count == PART_SIZE) return false;
    x[count] = static_cast<float>(px), y[count] = static_cast<float>(py), grey[count++] = level;
    return true;
  }
  /** So that the last four can be read. */
  void fill_up() {
    for (int i = count; i % LANES != 0; i++) x[i] = y[i] = grey[i] = 0;
  }
  int groups() const { return (count + LANES - 1) / LANES; }
};

/** What is worked out of pixels: how much they are off, what a step by known equations needs, or those as well. */
enum class Look { scale, misfit, equations };

/** Least squares by Gauss and Newton: the picture is linear in the levels, and nearly so in the rest. */
class PatternFit {
 public:
  PatternFit(const GreyView& picture, const PrintedPattern& pattern, double blur_px)
      : picture_(picture), pattern_(pattern), blur_px_(std::clamp(blur_px, MIN_BLUR_PX, MAX_BLUR_PX)) {}

  PatternExactness run(TagMap::Corners& corners);

 private:
  bool find_box();
  bool gather(int part);
  bool gather_rest() { return gather(1) && gather(2); }
  bool guess_levels();
  bool look(int parts, Look what);
  void add_block(int count, Look what);
  bool know(int parts);
  bool settle_coarsely(int parts);
  bool settle_finely();
  /** How many times more pixels were looked at than the equations are of. */
  double share() const { return std::max(1.0, weights_ / weights_known_); }
  bool step(double& moved_px);
  /** Of the marked square. */
  bool corner(int k, double (&place)[2], double (*by)[8]) const;
  double deviation() const;

  const GreyView& picture_;
  const PrintedPattern& pattern_;
  TagMap map_;
  double blur_px_, levels_[LEVELS] = {}, beyond_ = 0;
  Pixels parts_[PARTS];
  int every_ = 1, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  float misfits_[PART_SIZE + 1];
  double scale_ = 0, outside_ = 0;  // scale_: the deviation of one pixel's misfit, grey levels; 0: not known yet
  // sums_: four of each are still to be added up. weights_known_: of the pixels that equations are of. squares_: what
  // those of the misfits are after the step.
  alignas(16) float block_[ROWS][BLOCK], weighted_[ROWS][BLOCK], weight_[BLOCK];
  Floats sums_[ROWS][ROWS];
  double weights_ = 0, weights_known_ = 0, squares_ = 0;
  PositiveDefinite<UNKNOWNS> normal_;
};

/** The box around the tag. */
bool PatternFit::find_box() {
  const double across = pattern_.across;
  double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9}, rim[4][2];
  for (int k = 0; k < 4; k++) {
    if (!map_.place_of(k == 1 || k == 2 ? across : 0, k < 2 ? across : 0, rim[k])) return false;
    for (int axis = 0; axis < 2; axis++) {
      least[axis] = std::min(least[axis], rim[k][axis]);
      most[axis] = std::max(most[axis], rim[k][axis]);
    }
  }
  const double across_x = rim[2][0] - rim[0][0], across_y = rim[2][1] - rim[0][1];
  const double area = std::fabs(across_x * (rim[3][1] - rim[1][1]) - across_y * (rim[3][0] - rim[1][0])) / 2;
  if (!((most[0] - least[0]) * (most[1] - least[1]) < 8 * MAX_PIXELS && area < MAX_PIXELS)) return false;
  every_ = static_cast<int>(area / MAX_USED) + 1;
  left_ = static_cast<int>(std::floor(least[0])), right_ = static_cast<int>(most[0]);
  top_ = static_cast<int>(std::floor(least[1])), bottom_ = static_cast<int>(most[1]);
  return true;
}

/** A part of the pixels of the tag. */
bool PatternFit::gather(int part) {
  const auto& n = map_.numbers;
  const int stride = every_ * PARTS;
  const double across = pattern_.across, first = map_.units(left_ + 0.5, 0), unit = 1 / map_.unit_px();
  int whole = 0;
  Pixels& pixels = parts_[part];
  for (int y = top_; y <= bottom_; y++) {
    const double py = map_.units(y + 0.5, 1);
    const bool is_row = y >= 0 && y < picture_.height;
    // Another column in each row.
    for (int x = left_ + (part * every_ + stride - (y - top_) % stride) % stride; x <= right_; x += stride) {
      // As TagMap::modules_at, without its divisions: most of the box may be outside of the tag.
      const double px = first + unit * (x - left_), w = 1 + n[6] * px + n[7] * py;
      const double u = n[0] * px + n[1] * py + n[2], v = n[3] * px + n[4] * py + n[5];
      if (!(w > TagMap::MIN_DEPTH && u > 0 && v > 0 && u < across * w && v < across * w)) continue;
      whole++;
      if (is_row && x >= 0 && x < picture_.width && !pixels.add(px, py, picture_.row(y)[x])) return false;
    }
  }
  pixels.fill_up();
  return pixels.count >= MIN_PIXELS / PARTS && pixels.count > MIN_INSIDE * whole;
}

/** Of the whole tag alike, by where the pixels' middles are. */
bool PatternFit::guess_levels() {
  float map[8];
  std::copy(map_.numbers, map_.numbers + 8, map);
  double n = 0, s = 0, ss = 0, g = 0, sg = 0;
  const Pixels& pixels = parts_[0];
  for (int i = 0; i < pixels.count; i++) {
    const TagPlace at(map, all_lanes(pixels.x[i]), all_lanes(pixels.y[i]));
    const int x = std::clamp(static_cast<int>(at.u[0]) + 1, 0, pattern_.across + 1);
    const int y = std::clamp(static_cast<int>(at.v[0]) + 1, 0, pattern_.across + 1);
    if (pattern_.known[y][x] == 0) continue;
    const double white = pattern_.white[y][x];
    n++, s += white, ss += white * white, g += pixels.grey[i], sg += white * pixels.grey[i];
  }
  const double spread = ss - s * s / n;
  if (!(spread > 1)) return false;
  levels_[CONTRAST] = (sg - s * g / n) / spread;
  levels_[0] = (g - levels_[CONTRAST] * s) / n;
  if (!(levels_[CONTRAST] > 1)) return false;
  levels_[CONTRAST] /= MIDDLES_TELL;
  levels_[0] -= (1 - MIDDLES_TELL) / 2 * levels_[CONTRAST];
  return true;
}

/** Of the first so many parts. False where the blur reaches too far. */
bool PatternFit::look(int parts, Look what) {
  if (what == Look::misfit)
    for (auto& row : sums_) row[MISFIT] = Floats{};
  else
    for (auto& row : sums_) std::fill(std::begin(row), std::end(row), Floats{});
  float q[8], level[LEVELS];
  std::copy(map_.numbers, map_.numbers + 8, q);
  std::copy(levels_, levels_ + LEVELS, level);
  const float beyond = static_cast<float>(beyond_);
  const float reach = REACH * static_cast<float>(blur_px_ / map_.unit_px()), most = static_cast<float>(pattern_.across);
  const float inverse_limit = scale_ > 0 ? static_cast<float>(1 / (TUKEY * scale_)) : 0;
  Floats weights{}, seen{}, outside{};
  int filled = 0, misfits = 0;
  Boundaries across, down;
  for (int part = 0; part < parts; part++) {
    const Pixels& pixels = parts_[part];
    for (int group = 0; group < pixels.groups(); group++) {
      const Floats x = lanes_at(pixels.x + group * LANES), y = lanes_at(pixels.y + group * LANES);
      const TagPlace at(q, x, y);
      const Floats w = at.w;
      const auto is_on_tag = at.u > 0 && at.v > 0 && at.u < most && at.v < most;
      const Floats u = clamped(at.u, 0, most), v = clamped(at.v, 0, most);
      const Floats ux = (q[0] - u * q[6]) * w, uy = (q[1] - u * q[7]) * w;
      const Floats vx = (q[3] - v * q[6]) * w, vy = (q[4] - v * q[7]) * w;
      if (!across.see(u, reach * roots_of(ux * ux + uy * uy), pattern_.across)) return false;
      if (!down.see(v, reach * roots_of(vx * vx + vy * vy), pattern_.across)) return false;
      const Shade shade = shade_of(pattern_, across, down);
      const Floats contrast = level[CONTRAST] + level[CONTRAST + 1] * x + level[CONTRAST + 2] * y;
      const Floats dark = level[0] + level[1] * x + level[2] * y;
      const Floats misfit =
          lanes_at(pixels.grey + group * LANES) - dark - contrast * shade.white - beyond * (1 - shade.inside);
      const auto counts = is_on_tag && shade.known > MIN_KNOWN && IN_ORDER < pixels.count - group * LANES;
      if (part == 0 && what != Look::misfit)
        for (int lane = 0; lane < LANES; lane++) {
          misfits_[misfits] = std::fabs(misfit[lane]);
          misfits += counts[lane] != 0;
        }
      if (what == Look::scale) continue;
      const Floats off = misfit * inverse_limit, left = max_of(1 - off * off, Floats{});
      Floats weight = counts ? (shade.known - MIN_KNOWN) * (1 / (1 - MIN_KNOWN)) : Floats{};
      seen += counts ? all_lanes(1) : Floats{};
      outside += (counts && left <= 0) ? all_lanes(1) : Floats{};
      weight *= left * left;
      weights += weight;
      const Floats gu = contrast * shade.by_x * w, gv = contrast * shade.by_y * w, both = -(gu * u + gv * v);
      const Floats rows[ROWS] = {all_lanes(1),
                                 x,
                                 y,
                                 shade.white,
                                 shade.white * x,
                                 shade.white * y,
                                 contrast * shade.by_blur,
                                 gu * x,
                                 gu * y,
                                 gu,
                                 gv * x,
                                 gv * y,
                                 gv,
                                 both * x,
                                 both * y,
                                 1 - shade.inside,
                                 misfit};
      for (int r = 0; r < ROWS; r++) lanes_at(block_[r] + filled) = rows[r];
      lanes_at(weight_ + filled) = weight;
      filled += LANES;
      if (filled == BLOCK) add_block(filled, what), filled = 0;
    }
  }
  if (what != Look::misfit) {
    if (misfits == 0) return false;
    std::nth_element(misfits_, misfits_ + misfits / 2, misfits_ + misfits);
    scale_ = std::max({MEDIAN_TELLS * misfits_[misfits / 2], MIN_SCALE, MIN_SCALE_OF_CONTRAST * levels_[CONTRAST]});
  }
  if (what == Look::scale) return true;
  add_block(filled, what);
  weights_ = sum_of(weights);
  if (what == Look::equations) weights_known_ = weights_;
  outside_ = sum_of(outside) / std::max(1.0, sum_of(seen));
  return true;
}

void PatternFit::add_block(int count, Look what) {
  if (what == Look::misfit) {
    for (int i = 0; i < count; i += LANES) lanes_at(weight_ + i) *= lanes_at(block_[MISFIT] + i);
    for (int r = 0; r < ROWS; r++) {
      Floats sum = sums_[r][MISFIT];
      for (int i = 0; i < count; i += LANES) sum += lanes_at(block_[r] + i) * lanes_at(weight_ + i);
      sums_[r][MISFIT] = sum;
    }
    return;
  }
  for (int r = 0; r < ROWS; r++) {
    for (int i = 0; i < count; i += LANES) lanes_at(weighted_[r] + i) = lanes_at(block_[r] + i) * lanes_at(weight_ + i);
    for (int c = r; c < ROWS; c++) {
      Floats sum = sums_[r][c];
      for (int i = 0; i < count; i += LANES) sum += lanes_at(weighted_[r] + i) * lanes_at(block_[c] + i);
      sums_[r][c] = sum;
    }
  }
}

/** By the equations that are known. */
bool PatternFit::step(double& moved_px) {
  double b[UNKNOWNS], off[UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) off[i] = sum_of(sums_[i][MISFIT]), b[i] = off[i] / share();
  normal_.solve(b);
  squares_ = sum_of(sums_[MISFIT][MISFIT]);
  for (int i = 0; i < UNKNOWNS; i++) squares_ -= off[i] * b[i];
  moved_px = 0;
  for (int k = 0; k < 4; k++) {
    double place[2], by[2][8];
    if (!corner(k, place, by)) return false;
    double way[2] = {};
    for (int axis = 0; axis < 2; axis++)
      for (int i = 0; i < 8; i++) way[axis] += by[axis][i] * b[PLACE + i];
    moved_px = std::max(moved_px, std::sqrt(way[0] * way[0] + way[1] * way[1]));
  }
  const double part = moved_px > MAX_STEP_PX ? MAX_STEP_PX / moved_px : 1;
  for (int i = 0; i < LEVELS; i++) levels_[i] += b[i];
  beyond_ += b[BEYOND];
  for (int i = 0; i < 8; i++) map_.numbers[i] += part * b[PLACE + i];
  const double wider = std::clamp(b[BLUR], -0.5, 0.5);
  blur_px_ = std::clamp(blur_px_ * (1 + wider + wider * wider / 2), MIN_BLUR_PX, MAX_BLUR_PX);
  return levels_[CONTRAST] > 1;
}

bool PatternFit::corner(int k, double (&place)[2], double (*by)[8]) const {
  const double from = pattern_.border, to = pattern_.across - pattern_.border;
  return map_.place_of(k == 1 || k == 2 ? to : from, k < 2 ? to : from, place, by);
}

/** Of a corner's coordinate, in the mean. */
double PatternFit::deviation() const {
  const double variance = std::max(0.0, squares_) / std::max(1.0, weights_ - UNKNOWNS) / share();
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    double place[2], by[2][8];
    if (!corner(k, place, by)) return 0;
    for (const auto& each : by) {
      double z[UNKNOWNS] = {};
      std::copy(each, each + 8, z + PLACE);
      normal_.solve_lower<0>(z);
      for (const double part : z) sum += part * part / 8;
    }
  }
  return std::sqrt(variance * sum);
}

/** What so many parts say, and its equations. */
bool PatternFit::know(int parts) {
  if (!look(parts, Look::equations)) return false;
  double a[UNKNOWNS][UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int j = 0; j <= i; j++) a[i][j] = sum_of(sums_[j][i]);
    a[i][i] *= 1 + 1e-6;
  }
  const double known = scale_ / (BEYOND_MAY_BE * levels_[CONTRAST]);
  a[BEYOND][BEYOND] += known * known;
  sums_[BEYOND][MISFIT][0] -= static_cast<float>(known * known * beyond_);
  return normal_.factor(a);
}

/** By so many parts. */
bool PatternFit::settle_coarsely(int parts) {
  if (!look(1, Look::scale)) return false;
  for (int round = 0; round < COARSE_ROUNDS; round++) {
    double moved_px;
    if (!know(parts) || !step(moved_px)) return false;
    if (moved_px < SETTLED_PX) return true;
  }
  return false;
}

/** By all of them, as long as that goes well by the equations of a third. */
bool PatternFit::settle_finely() {
  double moved_px = 0;
  for (int round = 0; round < FINE_ROUNDS; round++) {
    if (!(moved_px > SETTLED_PX ? know(PARTS) : look(PARTS, Look::misfit)) || !step(moved_px)) return false;
    if (moved_px < SETTLED_FINELY_PX) return true;
  }
  return false;
}

PatternExactness PatternFit::run(TagMap::Corners& corners) {
  if (!map_.set(corners, pattern_.border, pattern_.across) || !find_box() || !gather(0) || !guess_levels()) return {};
  const bool is_small = parts_[0].count < MIN_PART;
  if (is_small && !gather_rest()) return {};
  if (!settle_coarsely(is_small ? PARTS : 1)) return {};
  if (!is_small && deviation() > ENOUGH_PX && !(gather_rest() && settle_finely())) return {};
  TagMap::Corners moved;
  for (int k = 0; k < 4; k++) {
    if (!corner(k, moved[k], nullptr)) return {};
    const double dx = moved[k][0] - corners[k][0], dy = moved[k][1] - corners[k][1];
    if (!(dx * dx + dy * dy < MAX_MOVED_PX * MAX_MOVED_PX)) return {};
  }
  std::copy(&moved[0][0], &moved[0][0] + 8, &corners[0][0]);
  return {deviation(), blur_px_, outside_};
}

}  // namespace

PatternExactness fit_pattern(const GreyView& picture, const apriltag_family_t& family, int id, double blur_px,
                             double (&corners)[4][2]) {
  if (family.total_width > MAX_MODULES_ACROSS) return {};
  const PrintedPattern pattern(family, id);
  return PatternFit(picture, pattern, blur_px > 0 ? blur_px : FIRST_BLUR_PX).run(corners);
}

}  // namespace vedette
