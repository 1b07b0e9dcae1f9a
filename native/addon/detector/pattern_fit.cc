#include "pattern_fit.h"

#include <algorithm>
#include <cmath>

#include "positive_definite.h"
#include "printed_pattern.h"
#include "tag_map.h"

namespace vedette {

namespace {

// Of pixels: more are a tag that its edges tell well enough, and of more than are used every second or third is as exact as anyone asks.
constexpr int LEAST_PIXELS = 60, MOST_PIXELS = 4096, MOST_USED = 1600;
constexpr double LEAST_INSIDE = 0.7;  // of the tag, in the picture
constexpr int ROUNDS = 8;
// Far from the end every third pixel says as much. Odd, as rows often are not: even numbers would take columns.
constexpr int COARSE = 3, COARSE_ROUNDS = 2;
constexpr double SETTLED_PX = 0.04;  // the last step; a fifth of it is left then, and half of this brings nothing but rounds
constexpr double MOST_STEP_PX = 1, MOST_MOVED_PX = 1;
constexpr double FIRST_BLUR_PX = 0.6, LEAST_BLUR_PX = 0.2, MOST_BLUR_PX = 4;
constexpr float REACH = 2.6457513f;  // of a pixel, in standard deviations of its blur: (1 - x * x) squared has a variance of 1/7
// Tukey's weights, 95 % as good as least squares where errors are normal; the median of their sizes tells their deviation.
constexpr double TUKEY = 4.685, MEDIAN_TELLS = 1.4826;
constexpr double LEAST_SCALE = 1, LEAST_SCALE_OF_CONTRAST = 0.01;  // grey levels are whole numbers, and prints and lenses are not that good
constexpr float LEAST_KNOWN = 0.85f;
// Where pixels are shared out by their middles, the mean of the white ones is not yet white.
constexpr double MIDDLES_TELL = 1 / 1.3;

// Unknowns: the levels of black (at the middle, and by how much it grows along x and y), those of the contrast, the blur (its logarithm), and the map from pixels to modules. One more column is the misfit.
constexpr int CONTRAST = 3, LEVELS = 6, BLUR = 6, PLACE = 7, MISFIT = 15, UNKNOWNS = 15, ROW = 16;

/** x, y: from the tag's middle, in the fit's units. */
struct Pixel {
  float x, y, grey;
};

/** The same as TagMap says, for many pixels. w: by which both are multiplied there. */
struct TagPlace {
  float u, v, w;

  TagPlace(const float (&map)[8], const Pixel& pixel) : w(1 / (1 + map[6] * pixel.x + map[7] * pixel.y)) {
    u = (map[0] * pixel.x + map[1] * pixel.y + map[2]) * w;
    v = (map[3] * pixel.x + map[4] * pixel.y + map[5]) * w;
  }
};

/** Least squares by Gauss and Newton: the picture is linear in the levels, and nearly so in the rest. */
class PatternFit {
 public:
  PatternFit(const GreyView& picture, const PrintedPattern& pattern) : picture_(picture), pattern_(pattern) {}

  PatternExactness run(TagMap::Corners& corners);

 private:
  bool gather();
  bool guess_levels();
  void accumulate(int every);
  bool step(double& moved_px);
  /** Of the marked square. */
  bool corner(int k, double (&place)[2], double (*by)[8]) const;
  double deviation() const;

  const GreyView& picture_;
  const PrintedPattern& pattern_;
  TagMap map_;
  double blur_px_ = FIRST_BLUR_PX, levels_[LEVELS] = {};
  int count_ = 0;
  Pixel pixels_[MOST_PIXELS];
  float misfits_[MOST_PIXELS];
  double scale_ = 0, outside_ = 0;  // scale_: the deviation of one pixel's misfit, grey levels; 0: not known yet
  alignas(16) float sums_[ROW][ROW];
  double weights_ = 0;
  PositiveDefinite<UNKNOWNS> normal_;
};

/** The pixels of the tag, from the box around it. */
bool PatternFit::gather() {
  const double across = pattern_.across;
  double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
  for (const double u : {0.0, across})
    for (const double v : {0.0, across}) {
      double place[2];
      if (!map_.place_of(u, v, place)) return false;
      for (int axis = 0; axis < 2; axis++) least[axis] = std::min(least[axis], place[axis]), most[axis] = std::max(most[axis], place[axis]);
    }
  if (!((most[0] - least[0]) * (most[1] - least[1]) < 8 * MOST_PIXELS)) return false;
  int whole = 0;
  for (int y = static_cast<int>(std::floor(least[1])); y <= most[1]; y++)
    for (int x = static_cast<int>(std::floor(least[0])); x <= most[0]; x++) {
      const double px = map_.units(x + 0.5, 0), py = map_.units(y + 0.5, 1);
      double u, v;
      if (!map_.modules_at(px, py, u, v) || !(u > 0 && v > 0 && u < across && v < across)) continue;
      whole++;
      if (x < 0 || y < 0 || x >= picture_.width || y >= picture_.height) continue;
      if (count_ == MOST_PIXELS) return false;
      pixels_[count_++] = {static_cast<float>(px), static_cast<float>(py), static_cast<float>(picture_.row(y)[x])};
    }
  return count_ >= LEAST_PIXELS && count_ > LEAST_INSIDE * whole;
}

/** Of the whole tag alike, by where the pixels' middles are. */
bool PatternFit::guess_levels() {
  float map[8];
  std::copy(map_.numbers, map_.numbers + 8, map);
  double n = 0, s = 0, ss = 0, g = 0, sg = 0;
  for (int i = 0; i < count_; i++) {
    const Pixel& pixel = pixels_[i];
    const TagPlace at(map, pixel);
    const int x = std::clamp(static_cast<int>(at.u) + 1, 0, pattern_.across + 1), y = std::clamp(static_cast<int>(at.v) + 1, 0, pattern_.across + 1);
    if (pattern_.known[y][x] == 0) continue;
    const double white = pattern_.white[y][x];
    n++, s += white, ss += white * white, g += pixel.grey, sg += white * pixel.grey;
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

/** Of every so many'th pixel. */
void PatternFit::accumulate(int every) {
  for (auto& row : sums_) std::fill(std::begin(row), std::end(row), 0.0f);
  weights_ = 0;
  float q[8], level[LEVELS];
  std::copy(map_.numbers, map_.numbers + 8, q);
  std::copy(levels_, levels_ + LEVELS, level);
  const float reach = REACH * static_cast<float>(blur_px_ / map_.unit_px());
  const float limit = static_cast<float>(TUKEY * scale_), inverse_limit = limit > 0 ? 1 / limit : 0;
  alignas(16) float row[ROW];
  Boundaries across, down;
  int seen = 0, outside = 0;
  for (int i = 0; i < count_; i += every) {
    const Pixel& pixel = pixels_[i];
    const auto [u, v, w] = TagPlace(q, pixel);
    const float ux = (q[0] - u * q[6]) * w, uy = (q[1] - u * q[7]) * w, vx = (q[3] - v * q[6]) * w, vy = (q[4] - v * q[7]) * w;
    if (!(u > 0 && v > 0 && u < pattern_.across && v < pattern_.across)) continue;
    across.see(u, reach * std::sqrt(ux * ux + uy * uy), pattern_.across);
    down.see(v, reach * std::sqrt(vx * vx + vy * vy), pattern_.across);
    const Shade shade = shade_of(pattern_, across, down);
    if (!(shade.known > LEAST_KNOWN)) continue;
    const float contrast = level[CONTRAST] + level[CONTRAST + 1] * pixel.x + level[CONTRAST + 2] * pixel.y;
    const float misfit = pixel.grey - (level[0] + level[1] * pixel.x + level[2] * pixel.y) - contrast * shade.white;
    misfits_[seen++] = std::fabs(misfit);
    float weight = (shade.known - LEAST_KNOWN) / (1 - LEAST_KNOWN);
    if (limit > 0) {
      const float e = misfit * inverse_limit, left = 1 - e * e;
      if (left <= 0) {
        outside++;
        continue;
      }
      weight *= left * left;
    }
    weights_ += weight;
    row[0] = 1, row[1] = pixel.x, row[2] = pixel.y;
    row[3] = shade.white, row[4] = shade.white * pixel.x, row[5] = shade.white * pixel.y;
    row[BLUR] = contrast * shade.by_blur;
    const float gu = contrast * shade.by_x * w, gv = contrast * shade.by_y * w, both = -(gu * u + gv * v);
    row[7] = gu * pixel.x, row[8] = gu * pixel.y, row[9] = gu;
    row[10] = gv * pixel.x, row[11] = gv * pixel.y, row[12] = gv;
    row[13] = both * pixel.x, row[14] = both * pixel.y;
    row[MISFIT] = misfit;
    for (int block = 0; block < ROW; block += 4)
      for (int r = block; r < block + 4; r++) {
        const float each = weight * row[r];
        for (int c = block; c < ROW; c++) sums_[r][c] += each * row[c];
      }
  }
  outside_ = static_cast<double>(outside) / std::max(1, seen);
  if (seen > 0) {
    std::nth_element(misfits_, misfits_ + seen / 2, misfits_ + seen);
    scale_ = std::max({MEDIAN_TELLS * misfits_[seen / 2], LEAST_SCALE, LEAST_SCALE_OF_CONTRAST * levels_[CONTRAST]});
  }
}

bool PatternFit::step(double& moved_px) {
  double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int j = 0; j <= i; j++) a[i][j] = sums_[j][i];
    a[i][i] *= 1 + 1e-6;
    b[i] = sums_[i][MISFIT];
  }
  if (!normal_.factor(a)) return false;
  normal_.solve(b);
  moved_px = 0;
  for (int k = 0; k < 4; k++) {
    double place[2], by[2][8];
    if (!corner(k, place, by)) return false;
    double way[2] = {};
    for (int axis = 0; axis < 2; axis++)
      for (int i = 0; i < 8; i++) way[axis] += by[axis][i] * b[PLACE + i];
    moved_px = std::max(moved_px, std::sqrt(way[0] * way[0] + way[1] * way[1]));
  }
  const double part = moved_px > MOST_STEP_PX ? MOST_STEP_PX / moved_px : 1;
  for (int i = 0; i < LEVELS; i++) levels_[i] += b[i];
  for (int i = 0; i < 8; i++) map_.numbers[i] += part * b[PLACE + i];
  const double wider = std::clamp(b[BLUR], -0.5, 0.5);
  blur_px_ = std::clamp(blur_px_ * (1 + wider + wider * wider / 2), LEAST_BLUR_PX, MOST_BLUR_PX);
  return levels_[CONTRAST] > 1;
}

bool PatternFit::corner(int k, double (&place)[2], double (*by)[8]) const {
  const double from = pattern_.border, to = pattern_.across - pattern_.border;
  return map_.place_of(k == 1 || k == 2 ? to : from, k < 2 ? to : from, place, by);
}

/** Of a corner's coordinate, in the mean. */
double PatternFit::deviation() const {
  const double variance = sums_[MISFIT][MISFIT] / std::max(1.0, weights_ - UNKNOWNS);
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    double place[2], by[2][8];
    if (!corner(k, place, by)) return 0;
    for (const auto& each : by) {
      double z[8];
      std::copy(each, each + 8, z);
      normal_.solve_lower<PLACE>(z);
      for (const double part : z) sum += part * part / 8;
    }
  }
  return std::sqrt(variance * sum);
}

PatternExactness PatternFit::run(TagMap::Corners& corners) {
  if (!map_.set(corners, pattern_.border, pattern_.across) || !gather() || !guess_levels()) return {};
  const int fine = (count_ + MOST_USED - 1) / MOST_USED;
  accumulate(COARSE * fine);
  bool is_settled = false;
  for (int round = 0; round < ROUNDS && !is_settled; round++) {
    const int every = round < COARSE_ROUNDS ? COARSE * fine : fine;
    accumulate(every);
    double moved_px;
    if (!step(moved_px)) return {};
    is_settled = every == fine && moved_px < SETTLED_PX;
  }
  if (!is_settled) return {};
  TagMap::Corners moved;
  for (int k = 0; k < 4; k++) {
    if (!corner(k, moved[k], nullptr)) return {};
    const double dx = moved[k][0] - corners[k][0], dy = moved[k][1] - corners[k][1];
    if (!(dx * dx + dy * dy < MOST_MOVED_PX * MOST_MOVED_PX)) return {};
  }
  std::copy(&moved[0][0], &moved[0][0] + 8, &corners[0][0]);
  return {deviation(), blur_px_, outside_};
}

}  // namespace

PatternExactness fit_pattern(const GreyView& picture, const apriltag_family_t& family, int id, double (&corners)[4][2]) {
  if (family.total_width > MOST_MODULES_ACROSS) return {};
  const PrintedPattern pattern(family, id);
  return PatternFit(picture, pattern).run(corners);
}

}  // namespace vedette
