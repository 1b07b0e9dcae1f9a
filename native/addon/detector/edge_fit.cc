#include "edge_fit.h"

#include <algorithm>
#include <cmath>

#include "four_floats.h"
#include "positive_definite.h"

namespace vedette {

namespace {

constexpr int MIN_COLUMNS = 4, MAX_COLUMNS = 64;
constexpr int MIN_DEEP = 4, MAX_DEEP = 9;  // pixels of a column: of three, place and blur cannot be told apart
constexpr double MIN_SEEN = 0.5;           // of the columns
constexpr double MIN_CONTRAST = 3;         // grey levels
constexpr int MAX_ROUNDS = 8, MAX_LOOKS = 3;
// At first some columns, here and there, say enough.
constexpr int COARSE_ROUNDS = 2, COARSE_GROUPS = 4;
// The last step: it leaves less than a tenth of itself. Of the reach, on which the place depends little.
constexpr double SETTLED_PX = 0.015, SETTLED_REACH_PX = 0.2;
constexpr double MAX_STEP_PX = 1;
constexpr double LOOK_AGAIN_PX = 0.5;  // so far from the middle of what was read
// Within so many deviations of the blur a corner's other edge is seen; at most that share of the edge is left out for
// it.
constexpr double BLURRED_CORNER = 2, FROM_CORNER_PX = 1, MAX_CORNER = 0.25;
// Columns are left out that are so many deviations off, where an edge is that ragged: something covers it there.
constexpr float UNEVEN = 3, RAGGED_PX = 0.1;
// (1 - x * x) to the fourth, the light around a place, is nearly normal and ends: its reach in its standard deviations.
constexpr float REACH = 3.3166248f;
constexpr float FIRST_REACH_PX = 2, MIN_REACH_PX = 0.3f, MAX_REACH_PX = 9;
// Where columns say nothing of the blur it is that of a lens in focus, as far as that is known: by so many pixels of
// the reach, with that misfit (of the contrast).
constexpr double REACH_IS_KNOWN_PX = 1.4, MISFIT_IS_KNOWN = 0.02;
// Pixels whose middles are so near to the edge are in its light, whichever way they are blurred, and fade out of it
// farther on. So many times `half_px` from it, other edges begin to be seen.
constexpr float IN_LIGHT_PX = 1, FADING_PX = 0.75f, CLEAR_HALVES = 1.4f, CLEAR_FADING_PX = 0.5f;
// Where `half_px` is less, or noise weighs that many times more, the fit alone says more. So it does where there is
// more blur than that, beside which it hardly matters which way a pixel leans.
constexpr double MIN_BALANCED_HALF_PX = 1.4, MAX_BALANCED_VARIANCE = 9, MAX_BALANCED_BLUR_PX = 0.8;

/**
 * What is blurred, up to a boundary, where all beyond the edge is white. at: pixels from the edge towards white.
 * light: all that comes from before the boundary; white: at the boundary; widening: by how much `light` grows with
 * the reach. A pixel's own are the differences between those at its two ends.
 */
struct Boundary {
  Floats light, white, widening;

  Boundary(Floats at, float reach) {
    const Floats x = clamped(at * (1 / reach), -1, 1), e = x * x, left = 1 - e, square = left * left;
    widening = (63.0f / 512) * square * square * left;
    const Floats inner = 1.2f + e * (-4.0f / 7 + e * (1.0f / 9));
    white = 0.5f + x * ((315.0f / 256) * (1 + e * (-4.0f / 3 + e * inner)));
    light = reach * widening + at * white;
  }
};

// Unknowns: the level of dark and how it grows along the edge, the contrast and how it does, the reach of the blur, the
// place and how it changes along the edge.
constexpr int DARK = 0, CONTRAST = 2, BLUR = 4, PLACE = 5, TURN = 6, UNKNOWNS = 7;

/** Sums of a column's value, and of its product with the place along the edge, and with that again. */
template <int Count>
struct Moments {
  Floats sums[Count] = {};

  void add(Floats value, Floats counts, Floats at) {
    for (Floats& sum : sums) {
      sum += value * counts;
      counts *= at;
    }
  }
  double operator[](int i) const { return sum_of(sums[i]); }
};

/**
 * Columns of pixels across an edge, or rows where it is steep: along and across are x and y, or y and x. Places along
 * it are counted from its middle, in units of half its length.
 */
class EdgeFit {
 public:
  EdgeFit(const GreyView& picture, const SoughtEdge& sought);

  bool run(FittedEdge& fitted);

 private:
  bool read();
  bool guess_levels();
  void leave_out_corners();
  bool leave_out_ragged();
  void accumulate(int every);
  bool step(double& moved_px);
  bool settle();
  double fitted_variance() const;
  void balance();
  void tell(FittedEdge& fitted) const;

  const GreyView& picture_;
  const SoughtEdge& sought_;
  bool is_flat_;
  int towards_;  // from dark to bright, across
  double slope_, cosine_, middle_along_, middle_across_, half_along_, skip_first_, skip_last_;
  int columns_ = 0, groups_ = 0, deep_ = 0;
  // Of each column: where along the edge it is; where its first pixel begins, towards bright, from the edge that was
  // sought; 0 where it does not count; how far from the line its own edge is.
  alignas(16) float at_[MAX_COLUMNS], begins_[MAX_COLUMNS], counts_[MAX_COLUMNS], place_[MAX_COLUMNS];
  alignas(16) float light_[MAX_DEEP + 2][MAX_COLUMNS];  // with one more at either end
  float levels_[4] = {}, reach_ = FIRST_REACH_PX, widened_px_ = 0, offset_ = 0, turn_ = 0;
  double sums_[UNKNOWNS][UNKNOWNS], misfit_[UNKNOWNS], squares_ = 0, pixels_ = 0, variance_ = 0, end_variance_ = 0;
  PositiveDefinite<UNKNOWNS> normal_;
};

EdgeFit::EdgeFit(const GreyView& picture, const SoughtEdge& sought) : picture_(picture), sought_(sought) {
  is_flat_ = std::fabs(sought.normal_y) > std::fabs(sought.normal_x);
  const int a = is_flat_ ? 0 : 1, b = 1 - a;
  const double along = sought.to[a] - sought.from[a], normal = is_flat_ ? sought.normal_y : sought.normal_x;
  slope_ = (sought.to[b] - sought.from[b]) / along;
  middle_along_ = (sought.from[a] + sought.to[a]) / 2;
  middle_across_ = (sought.from[b] + sought.to[b]) / 2;
  half_along_ = std::fabs(along) / 2;
  towards_ = normal > 0 ? 1 : -1;
  cosine_ = std::fabs(normal);
  deep_ = std::clamp(static_cast<int>(std::lround(2 * sought.half_px / cosine_ + 1)), MIN_DEEP, MAX_DEEP);
  // Pixels of a column lie beyond its own place along the edge.
  const double aside_px = (sought.half_px + 0.5) * std::fabs(slope_);
  const double skip = (sought.skip_px + aside_px) * cosine_, skip_at_end = (sought.skip_at_end_px + aside_px) * cosine_;
  skip_first_ = along > 0 ? skip : skip_at_end;
  skip_last_ = along > 0 ? skip_at_end : skip;
}

/** Around where the edge is thought to be. */
bool EdgeFit::read() {
  // By the middles of pixels.
  const int from = static_cast<int>(std::ceil(middle_along_ - half_along_ + skip_first_ - 0.5));
  const int to = static_cast<int>(std::floor(middle_along_ + half_along_ - skip_last_ - 0.5));
  if (to - from + 1 < MIN_COLUMNS) return false;
  const int every = (to - from + MAX_COLUMNS) / MAX_COLUMNS, wanted = (to - from) / every + 1;
  const int length = is_flat_ ? picture_.width : picture_.height, depth = is_flat_ ? picture_.height : picture_.width;
  const ptrdiff_t along_stride = is_flat_ ? 1 : picture_.stride, across_stride = is_flat_ ? picture_.stride : 1;
  columns_ = 0;
  for (int i = 0; i < wanted; i++) {
    const int along = from + i * every;
    const double from_middle = along + 0.5 - middle_along_, at = from_middle / half_along_;
    const double sought = (middle_across_ + slope_ * from_middle) * towards_, edge = sought + offset_ + turn_ * at;
    const double begin = std::floor(edge - deep_ / 2.0 + 0.5);
    const int first = (towards_ > 0 ? static_cast<int>(begin) : static_cast<int>(-begin) - 1) - towards_;
    const int last = first + towards_ * (deep_ + 1);
    if (along < 0 || along >= length || std::min(first, last) < 0 || std::max(first, last) >= depth) continue;
    at_[columns_] = static_cast<float>(at);
    begins_[columns_] = static_cast<float>(begin - sought);
    counts_[columns_] = 1;
    const uint8_t* pixel = picture_.pixels + along * along_stride + first * across_stride;
    for (int k = 0; k < deep_ + 2; k++, pixel += across_stride * towards_) light_[k][columns_] = *pixel;
    columns_++;
  }
  if (columns_ < std::max<double>(MIN_COLUMNS, MIN_SEEN * wanted)) return false;
  groups_ = (columns_ + LANES - 1) / LANES;
  for (int i = columns_; i < groups_ * LANES; i++) {
    at_[i] = begins_[i] = counts_[i] = 0;
    for (int k = 0; k < deep_ + 2; k++) light_[k][i] = 0;
  }
  return true;
}

bool EdgeFit::guess_levels() {
  float dark = 0, bright = 0;
  for (int i = 0; i < columns_; i++) dark += light_[1][i], bright += light_[deep_][i];
  levels_[DARK] = dark / static_cast<float>(columns_);
  levels_[CONTRAST] = (bright - dark) / static_cast<float>(columns_);
  return levels_[CONTRAST] >= MIN_CONTRAST;
}

/** Columns in the light of a corner, which blur makes longer. */
void EdgeFit::leave_out_corners() {
  const double longer = std::max(0.0, BLURRED_CORNER * reach_ / REACH * cosine_ - FROM_CORNER_PX);
  const double most = MAX_CORNER * 2 * half_along_;
  const double first = std::max(skip_first_, std::min(skip_first_ + longer, most)) / half_along_ - 1;
  const double last = 1 - std::max(skip_last_, std::min(skip_last_ + longer, most)) / half_along_;
  for (int i = 0; i < columns_; i++)
    if (at_[i] < first || at_[i] > last) counts_[i] = 0;
}

/** Columns that are off by more than chance. Whether there are any. */
bool EdgeFit::leave_out_ragged() {
  float squares = 0, count = 0;
  for (int i = 0; i < columns_; i++) squares += counts_[i] * place_[i] * place_[i], count += counts_[i];
  const float most = UNEVEN * UNEVEN * std::max(RAGGED_PX * RAGGED_PX, squares / std::max(1.0f, count));
  bool any = false;
  for (int i = 0; i < columns_; i++)
    if (counts_[i] > 0 && place_[i] * place_[i] > most) counts_[i] = 0, any = true;
  return any;
}

/** The equations of least squares, of every so many'th four columns. */
void EdgeFit::accumulate(int every) {
  Moments<3> n, white_sums, white_white, place_sums, white_place, place_place;
  Moments<2> reach_sums, white_reach, reach_place, off, off_white, off_place;
  Moments<1> reach_reach, off_reach, squares;
  for (int group = every / 2; group < groups_; group += every) {
    const int i = group * LANES;
    const Floats at = lanes_at(at_ + i), counts = lanes_at(counts_ + i);
    const Floats dark = levels_[DARK] + levels_[DARK + 1] * at;
    const Floats contrast = levels_[CONTRAST] + levels_[CONTRAST + 1] * at;
    // Of a column: sums over its pixels of products of what is white (w), how that changes with the place (p) and the
    // reach (r), and of how much the pixel is off (o).
    Floats w{}, ww{}, p{}, wp{}, pp{}, r{}, wr{}, rp{}, rr{}, o{}, ow{}, op{}, our{}, oo{};
    Floats begin = lanes_at(begins_ + i) - (offset_ + turn_ * at);
    Boundary before(begin, reach_);
    for (int k = 0; k < deep_; k++) {
      begin += 1;
      const Boundary after(begin, reach_);
      const Floats white = after.light - before.light, by_place = before.white - after.white;
      const Floats by_reach = after.widening - before.widening;
      const Floats misfit = lanes_at(light_[k + 1] + i) - (dark + contrast * white);
      w += white, ww += white * white, p += by_place, wp += white * by_place, pp += by_place * by_place;
      r += by_reach, wr += white * by_reach, rp += by_reach * by_place, rr += by_reach * by_reach;
      o += misfit, ow += misfit * white, op += misfit * by_place, our += misfit * by_reach, oo += misfit * misfit;
      before = after;
    }
    lanes_at(place_ + i) = op / (contrast * pp + 1e-6f);
    n.add(all_lanes(static_cast<float>(deep_)), counts, at);
    white_sums.add(w, counts, at), white_white.add(ww, counts, at);
    place_sums.add(p, counts, at), white_place.add(wp, counts, at), place_place.add(pp, counts, at);
    reach_sums.add(r, counts, at), white_reach.add(wr, counts, at), reach_place.add(rp, counts, at);
    reach_reach.add(rr, counts, at), squares.add(oo, counts, at), off.add(o, counts, at);
    off_white.add(ow, counts, at), off_place.add(op, counts, at), off_reach.add(our, counts, at);
  }
  const double c = levels_[CONTRAST];
  // Of two unknowns that both have one more for how they change along the edge.
  const auto put = [&](int row, int column, const Moments<3>& sums, double times) {
    sums_[row][column] = times * sums[0];
    sums_[row + 1][column] = times * sums[1];
    if (row != column) sums_[row][column + 1] = times * sums[1];
    sums_[row + 1][column + 1] = times * sums[2];
  };
  put(DARK, DARK, n, 1), put(CONTRAST, DARK, white_sums, 1), put(CONTRAST, CONTRAST, white_white, 1);
  put(PLACE, DARK, place_sums, c), put(PLACE, CONTRAST, white_place, c), put(PLACE, PLACE, place_place, c * c);
  for (int i = 0; i < 2; i++) {
    sums_[BLUR][DARK + i] = c * reach_sums[i], sums_[BLUR][CONTRAST + i] = c * white_reach[i];
    sums_[PLACE + i][BLUR] = c * c * reach_place[i];
    misfit_[DARK + i] = off[i], misfit_[CONTRAST + i] = off_white[i], misfit_[PLACE + i] = c * off_place[i];
  }
  sums_[BLUR][BLUR] = c * c * reach_reach[0];
  misfit_[BLUR] = c * off_reach[0];
  squares_ = squares[0];
  pixels_ = n[0];
}

bool EdgeFit::step(double& moved_px) {
  variance_ = squares_ / std::max(1.0, pixels_ - UNKNOWNS);
  const double least = MISFIT_IS_KNOWN * levels_[CONTRAST];
  const double known = std::max(variance_, least * least) / (REACH_IS_KNOWN_PX * REACH_IS_KNOWN_PX);
  sums_[BLUR][BLUR] += known;
  misfit_[BLUR] += known * (FIRST_REACH_PX - reach_);
  double change[UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) sums_[i][i] *= 1 + 1e-6, change[i] = misfit_[i];
  if (!normal_.factor(sums_)) return false;
  normal_.solve(change);
  moved_px = std::max(std::fabs(change[PLACE] + change[TURN]), std::fabs(change[PLACE] - change[TURN]));
  const float part = static_cast<float>(moved_px > MAX_STEP_PX ? MAX_STEP_PX / moved_px : 1);
  for (int i = 0; i < 4; i++) levels_[i] += static_cast<float>(change[i]);
  const float reach = reach_, wider = reach + static_cast<float>(change[BLUR]);
  reach_ = std::clamp(wider, std::max(MIN_REACH_PX, reach / 2), std::min(MAX_REACH_PX, 2 * reach));
  widened_px_ = std::fabs(reach_ - reach);
  offset_ += part * static_cast<float>(change[PLACE]);
  turn_ += part * static_cast<float>(change[TURN]);
  if (!(levels_[CONTRAST] - std::fabs(levels_[CONTRAST + 1]) >= MIN_CONTRAST)) return false;
  return std::fabs(offset_) + std::fabs(turn_) < 2 * sought_.half_px;
}

/** On what was read. */
bool EdgeFit::settle() {
  for (int round = 0; round < MAX_ROUNDS; round++) {
    double moved_px;
    const bool is_coarse = round < COARSE_ROUNDS;
    if (round == COARSE_ROUNDS) leave_out_corners();
    accumulate(is_coarse ? (groups_ + COARSE_GROUPS - 1) / COARSE_GROUPS : 1);
    if (round == COARSE_ROUNDS && leave_out_ragged()) accumulate(1);
    if (!is_coarse && !(pixels_ >= MIN_SEEN * columns_ * deep_)) return false;
    if (!step(moved_px)) return false;
    if (is_coarse || moved_px >= SETTLED_PX) continue;
    if (widened_px_ < SETTLED_REACH_PX || round == MAX_ROUNDS - 1) return true;
  }
  return false;
}

bool EdgeFit::run(FittedEdge& fitted) {
  for (int look = 0; look < MAX_LOOKS; look++) {
    const float offset = offset_, turn = turn_;
    if (!read() || (look == 0 && !guess_levels())) return false;
    const bool is_settled = settle();
    if (std::fabs(offset_ - offset) + std::fabs(turn_ - turn) > LOOK_AGAIN_PX) continue;
    if (!is_settled) return false;
    end_variance_ = fitted_variance();
    if (sought_.half_px >= MIN_BALANCED_HALF_PX && reach_ / REACH < MAX_BALANCED_BLUR_PX) balance();
    tell(fitted);
    return true;
  }
  return false;
}

/** Of its ends across, by the fit. */
double EdgeFit::fitted_variance() const {
  double variance = 0;
  for (const double end : {-1.0, 1.0}) {
    double way[UNKNOWNS] = {};
    way[PLACE] = 1, way[TURN] = end;
    normal_.solve_lower<0>(way);
    for (const double each : way) variance += variance_ * each * each / 2;
  }
  return variance;
}

/**
 * Moves the edge to where all the light that is seen of it says, which no blur moves. What is fitted is blurred alike
 * on both sides; a pixel that lies between those of another picture is not, which draws the fit aside.
 */
void EdgeFit::balance() {
  // Beside its light, pixels tell the levels of both sides; in it, how much light there is.
  Moments<3> beside, beside_white, beside_white_white, in_light, in_light_white, in_light_place;
  Moments<2> off_beside, off_beside_white, off_in_light;
  Moments<1> squares_beside;
  alignas(16) float in_light_of[MAX_COLUMNS], white_of[MAX_COLUMNS], place_of[MAX_COLUMNS], off_of[MAX_COLUMNS];
  const float clear_px = CLEAR_HALVES * static_cast<float>(sought_.half_px);
  for (int group = 0; group < groups_; group++) {
    const int i = group * LANES;
    const Floats at = lanes_at(at_ + i), counts = lanes_at(counts_ + i);
    const Floats dark = levels_[DARK] + levels_[DARK + 1] * at;
    const Floats contrast = levels_[CONTRAST] + levels_[CONTRAST + 1] * at;
    Floats b{}, bw{}, bww{}, l{}, lw{}, lp{}, ob{}, obw{}, obb{}, ol{};
    Floats begin = lanes_at(begins_ + i) - 1 - (offset_ + turn_ * at);
    Boundary before(begin, reach_);
    for (int k = 0; k < deep_ + 2; k++) {
      const Floats middle = begin + 0.5f, far = max_of(middle, -middle);
      begin += 1;
      const Boundary after(begin, reach_);
      const Floats white = after.light - before.light, by_place = before.white - after.white;
      const Floats misfit = lanes_at(light_[k] + i) - (dark + contrast * white);
      const Floats in = clamped((IN_LIGHT_PX + FADING_PX - far) * (1 / FADING_PX), 0, 1);
      const Floats out = (1 - in) * clamped((clear_px - far) * (1 / CLEAR_FADING_PX), 0, 1);
      b += out, bw += out * white, bww += out * white * white;
      l += in, lw += in * white, lp += in * by_place;
      ob += out * misfit, obw += out * white * misfit, obb += out * misfit * misfit;
      ol += in * misfit;
      before = after;
    }
    beside.add(b, counts, at), beside_white.add(bw, counts, at), beside_white_white.add(bww, counts, at);
    in_light.add(l, counts, at), in_light_white.add(lw, counts, at), in_light_place.add(lp, counts, at);
    off_beside.add(ob, counts, at), off_beside_white.add(obw, counts, at), off_in_light.add(ol, counts, at);
    squares_beside.add(obb, counts, at);
    lanes_at(in_light_of + i) = l, lanes_at(white_of + i) = lw, lanes_at(place_of + i) = lp, lanes_at(off_of + i) = ol;
  }
  double sums[4][4], change[4], by_level[2][4];
  for (int row = 0; row < 2; row++) {
    for (int column = 0; column < 2; column++) {
      sums[DARK + row][DARK + column] = beside[row + column];
      sums[CONTRAST + row][DARK + column] = beside_white[row + column];
      sums[CONTRAST + row][CONTRAST + column] = beside_white_white[row + column];
      by_level[row][DARK + column] = in_light[row + column];
      by_level[row][CONTRAST + column] = in_light_white[row + column];
    }
    change[DARK + row] = off_beside[row], change[CONTRAST + row] = off_beside_white[row];
  }
  for (int row = 0; row < 4; row++) sums[row][row] *= 1 + 1e-6;
  PositiveDefinite<4> levels;
  if (!levels.factor(sums)) return;
  levels.solve(change);
  double more[2];
  for (int row = 0; row < 2; row++) {
    more[row] = off_in_light[row];
    for (int k = 0; k < 4; k++) more[row] -= by_level[row][k] * change[k];
  }
  const double c = levels_[CONTRAST], p = c * in_light_place[0], pt = c * in_light_place[1], t = c * in_light_place[2];
  const double determinant = p * t - pt * pt;
  if (!(determinant > 1e-6 * p * t)) return;
  const double place = (t * more[0] - pt * more[1]) / determinant, turn = (p * more[1] - pt * more[0]) / determinant;
  // What of a column's light stays unexplained tells the edge's raggedness; what of the pixels beside it, the levels'.
  double ragged[3] = {}, columns = 0;
  for (int i = 0; i < columns_; i++) {
    const double at = at_[i], left = off_of[i] - in_light_of[i] * (change[DARK] + change[DARK + 1] * at) -
                                     white_of[i] * (change[CONTRAST] + change[CONTRAST + 1] * at) -
                                     c * place_of[i] * (place + turn * at);
    const double square = counts_[i] * left * left;
    ragged[0] += square, ragged[1] += square * at, ragged[2] += square * at * at, columns += counts_[i];
  }
  const double level_variance = squares_beside[0] / std::max(1.0, beside[0] - 4);
  double variance = 0;
  for (const double end : {-1.0, 1.0}) {
    const double by_place = (t - pt * end) / determinant, by_turn = (p * end - pt) / determinant;
    double of_light = by_place * by_place * ragged[0] + 2 * by_place * by_turn * ragged[1];
    of_light += by_turn * by_turn * ragged[2];
    variance += of_light * columns / std::max(1.0, columns - 2) / 2;
    double way[4];
    for (int k = 0; k < 4; k++) way[k] = by_place * by_level[0][k] + by_turn * by_level[1][k];
    levels.solve_lower<0>(way);
    for (const double each : way) variance += level_variance * each * each / 2;
  }
  if (!(variance < MAX_BALANCED_VARIANCE * end_variance_)) return;
  end_variance_ = variance;
  offset_ += static_cast<float>(place);
  turn_ += static_cast<float>(turn);
}

void EdgeFit::tell(FittedEdge& fitted) const {
  const double direction = slope_ + towards_ * turn_ / half_along_;  // across for each pixel along
  const double across = middle_across_ + towards_ * offset_, length = std::sqrt(1 + direction * direction);
  fitted.x = is_flat_ ? middle_along_ : across;
  fitted.y = is_flat_ ? across : middle_along_;
  const double normal_along = -direction * towards_ / length, normal_across = towards_ / length;
  fitted.normal_x = is_flat_ ? normal_along : normal_across;
  fitted.normal_y = is_flat_ ? normal_across : normal_along;
  // A slanted edge crosses each column over some length, which looks like blur.
  const double blur = reach_ / REACH;
  fitted.blur_px = std::sqrt(std::max(0.0, blur * blur - slope_ * slope_ / 12)) * cosine_;
  fitted.variance = end_variance_ * cosine_ * cosine_;
}

}  // namespace

bool fit_edge(const GreyView& picture, const SoughtEdge& sought, FittedEdge& fitted) {
  return EdgeFit(picture, sought).run(fitted);
}

}  // namespace vedette
