#include "tag_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "corners.h"

namespace vedette {

namespace {

constexpr double GAIN = 0.25;  // of the sharpening that libapriltag does, on which the scale of the margin depends

// Blur spreads a module's light over its neighbours. Of 60 tags of 13 pixels that are blurred by 0.7 px this gain reads
// twice as many; sharp ones it does not harm.
constexpr double STRONG_GAIN = 2;

// By how much the bits of a tag differ, of what its border does. Of 17,700 drawn tags, small, blurred, dim and covered
// ones among them, none has less than 0.9 before it is refined; a single bit of another colour that is blurred to less
// than 0.3 is not read.
constexpr double MIN_RANGE = 0.2;

// Of the modules along the border line of a quadrilateral that leaves a part of its outline out, before it is refined.
// Of 4,400 drawn tags, covered and small ones, as many are read as without such a limit; with 0.15 two fewer.
constexpr double MAX_WRONG_OF_PART = 0.2;

// In the dark a single place of a module is mostly noise; nine of them, 3 by 3, are less so. Of 25,600 drawn tags of 12
// to 50 px on which it was chosen 155 more are read than without; with 0.33 of a module between them 164, but in fewer
// cells of one size and light a third of those that libapriltag misses.
constexpr double APART = 0.4;

// Blur and noise move the outline of a tag, all around or on one side. So where it is nearly read its sides are tried
// farther out and in as well, all of them and each alone, by these parts of a module: of 16,000 drawn tags of 9 to 25
// px 7,488 are read so, without it 6,309, by libapriltag 5,102. The corners stay those of the outline: moved ones are
// up to twice as far off.
constexpr double ALL_SIDES_OFF[] = {0.2, 0.4}, ONE_SIDE_OFF = 0.35;

// Nearly read: with at most this share of the bits wrong. Of the tags that are read where all is tried again 0.997 are,
// and reading takes 0.64 of the time (74 real pictures).
constexpr double MAX_WRONG_OF_NEARLY = 1.0 / 6;

/**
 * Of what is no tag, the share that may be read as one in one more try. Of tag36h11 it allows one wrong bit, of tag25h9
 * none, and families of few bits for their codes (tag16h5, aruco_5x5) are read once. Of 49,000 small tags of other
 * families 3 are taken for one of tag25h9 so and 5 for one of aruco_5x5, as by libapriltag of the latter; where each
 * was tried again up to one of a thousand it was 57 and 209.
 */
constexpr double MAX_BY_CHANCE = 4.5e-6;

/** How many bits may be wrong in one more try, at most `most`; less than 0: there is none. */
int max_wrong_by_chance(const apriltag_family_t& family, int most) {
  const double bits = family.nbits;
  double codes = 0, ways = 1;
  for (int wrong = 0; wrong <= most; wrong++) {
    codes += ways;
    if (4 * family.ncodes * codes / std::ldexp(1, static_cast<int>(family.nbits)) > MAX_BY_CHANCE) return wrong - 1;
    ways *= (bits - wrong) / (wrong + 1);
  }
  return most;
}

double side_px(const Quad& quad) {
  double around = 0;
  for (int i = 0; i < 4; i++) {
    const double *from = quad.corners[i], *to = quad.corners[(i + 1) % 4];
    around += length_of(to[0] - from[0], to[1] - from[1]);
  }
  return around / 4;
}

/**
 * The quadrilateral with some of its sides moved by so much across them. sides: a bit for each, the lowest for that
 * from the first corner to the second.
 */
Quad with_moved_sides(const Quad& quad, unsigned sides, double by_px) {
  Quad out = quad;
  for (int i = 0; i < 4; i++) {
    if (!(sides >> i & 1)) continue;
    const int next = (i + 1) % 4;
    const double x = quad.corners[next][0] - quad.corners[i][0], y = quad.corners[next][1] - quad.corners[i][1],
                 share = by_px / length_of(x, y);
    for (const int corner : {i, next}) out.corners[corner][0] += share * y, out.corners[corner][1] -= share * x;
  }
  return out;
}

/**
 * In which module a bit stands, counted from the border square: what lies outside of it is negative, though declared
 * without a sign.
 */
std::pair<int, int> module_of(const apriltag_family_t& family, uint32_t bit) {
  return {static_cast<int>(family.bit_x[bit]), static_cast<int>(family.bit_y[bit])};
}

/** The middles of the modules on either side of the border line, in modules from the corner of the square. */
template <typename Visit>
void visit_border(int width, Visit visit) {
  for (int i = 0; i < width; i++) {
    const double along = i + 0.5;
    for (const double side : {0.5, width - 0.5}) visit(side, along, true), visit(along, side, true);
    for (const double side : {-0.5, width + 0.5}) visit(side, along, false), visit(along, side, false);
  }
}

/** Grey as a plane over the square. */
class GreyPlane {
 public:
  void add(double x, double y, double grey) {
    n_ += 1, x_ += x, y_ += y, g_ += grey;
    xx_ += x * x, xy_ += x * y, yy_ += y * y, xg_ += x * grey, yg_ += y * grey;
  }

  /**
   * False where nothing was added. Where all lie in a line, as of a white margin of which one side is in the picture,
   * the plane is level.
   */
  bool solve() {
    if (n_ == 0) return false;
    const double mx = x_ / n_, my = y_ / n_, xx = xx_ - mx * x_, xy = xy_ - mx * y_, yy = yy_ - my * y_;
    const double xg = xg_ - mx * g_, yg = yg_ - my * g_, determinant = xx * yy - xy * xy;
    if (determinant > MIN_SPREAD * n_ * n_) {
      slope_x_ = (xg * yy - yg * xy) / determinant;
      slope_y_ = (yg * xx - xg * xy) / determinant;
    }
    middle_ = g_ / n_ - slope_x_ * mx - slope_y_ * my;
    return true;
  }

  double at(double x, double y) const { return middle_ + slope_x_ * x + slope_y_ * y; }

 private:
  static constexpr double MIN_SPREAD = 1e-3;

  double n_ = 0, x_ = 0, y_ = 0, g_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, xg_ = 0, yg_ = 0;
  double slope_x_ = 0, slope_y_ = 0, middle_ = 0;
};

}  // namespace

TagReader::TagReader(const SoughtFamily& sought)
    : codes_(*sought.family),
      max_wrong_(std::clamp(sought.max_wrong, 0, TagCodes::MAX_WRONG)),
      max_wrong_again_(max_wrong_by_chance(*sought.family, max_wrong_)),
      width_(sought.family->width_at_border),
      total_width_(sought.family->total_width),
      bits_(static_cast<size_t>(total_width_) * total_width_),
      sharp_(bits_.size()) {
  const int around = (total_width_ - width_) / 2;
  for (uint32_t bit = 0; bit < family().nbits; bit++) {
    const auto [x, y] = module_of(family(), bit);
    places_.push_back(static_cast<size_t>(y + around) * total_width_ + x + around);
  }
}

bool TagReader::may_say_something(const GreyView& picture, const Quad& rough) const {
  if (rough.is_part && wrong_border_share(picture, square(), rough.corners) > MAX_WRONG_OF_PART) return false;
  const std::optional<Homography> homography = homography_onto(rough.corners);
  if (!homography) return false;
  double u, v, grey;
  const auto is_seen = [&](double mx, double my) {
    homography->apply(2 * mx / width_ - 1, 2 * my / width_ - 1, u, v);
    return grey_of_pixel(picture, u, v, grey);
  };
  double inside = 0, outside = 0;
  int insides = 0, outsides = 0;
  visit_border(width_, [&](double x, double y, bool is_inside) {
    if (!is_seen(x, y)) return;
    (is_inside ? inside : outside) += grey;
    (is_inside ? insides : outsides)++;
  });
  if (insides == 0 || outsides == 0) return false;
  const double contrast = std::fabs(outside / outsides - inside / insides);
  double darkest = 255, brightest = 0;
  for (uint32_t bit = 0; bit < family().nbits; bit++) {
    const auto [x, y] = module_of(family(), bit);
    if (is_seen(x + 0.5, y + 0.5)) darkest = std::min(darkest, grey), brightest = std::max(brightest, grey);
    if (brightest - darkest >= MIN_RANGE * contrast) return true;
  }
  return false;
}

std::optional<FoundTag> TagReader::read(const GreyView& picture, const Quad& rough, const Quad& refined) {
  std::optional<FoundTag> best;
  min_wrong_ = static_cast<int>(family().nbits);
  try_corners(picture, refined, refined, max_wrong_, best);
  if (max_wrong_again_ < 0 || (best && best->hamming == 0)) return best;
  try_corners(picture, rough, rough, max_wrong_again_, best);
  if (best) return best;
  const double module_px = side_px(rough) / width_;
  const auto try_sides = [&](unsigned sides, double off) {
    for (const double by : {off, -off})
      if (!best && is_nearly_read())
        try_corners(picture, with_moved_sides(rough, sides, by * module_px), rough, max_wrong_again_, best);
  };
  for (const double off : ALL_SIDES_OFF) try_sides(0b1111, off);
  for (const unsigned side : {0b0001, 0b0010, 0b0100, 0b1000}) try_sides(side, ONE_SIDE_OFF);
  return best;
}

bool TagReader::is_nearly_read() const { return min_wrong_ <= MAX_WRONG_OF_NEARLY * family().nbits; }

void TagReader::try_corners(const GreyView& picture, const Quad& quad, const Quad& told, int max_wrong,
                            std::optional<FoundTag>& best) {
  const std::optional<Homography> homography = homography_onto(quad.corners);
  if (!homography || !has_border(picture, square(), quad.corners) ||
      !sample(picture, *homography, quad.is_black_inside, 0))
    return;
  std::optional<CodeMatch> match;
  try_gain(GAIN, max_wrong, match);
  const double margin = this->margin();
  const auto may_be_better = [&] { return max_wrong_again_ >= 0 && (!match || match->hamming > 0); };
  if (may_be_better()) try_gain(STRONG_GAIN, max_wrong_again_, match);
  if (may_be_better() && is_nearly_read() && sample(picture, *homography, quad.is_black_inside, APART)) {
    try_gain(GAIN, max_wrong_again_, match);
    if (may_be_better()) try_gain(STRONG_GAIN, max_wrong_again_, match);
  }
  if (!match || (best && best->hamming <= match->hamming)) return;
  const std::optional<Homography> place = homography_onto(told.corners);
  if (!place) return;
  FoundTag tag{&family(), match->id, match->hamming, margin, {}, {}, place->turned(match->turns)};
  tag.homography.apply(0, 0, tag.center[0], tag.center[1]);
  constexpr int CORNERS[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
  for (int i = 0; i < 4; i++) tag.homography.apply(CORNERS[i][0], CORNERS[i][1], tag.corners[i][0], tag.corners[i][1]);
  best = tag;
}

void TagReader::try_gain(double gain, int max_wrong, std::optional<CodeMatch>& match) {
  sharpen(gain);
  const std::optional<CodeMatch> nearest = codes_.nearest(code());
  if (!nearest) return;
  min_wrong_ = std::min(min_wrong_, nearest->hamming);
  if (nearest->hamming <= max_wrong && (!match || nearest->hamming < match->hamming)) match = nearest;
}

bool TagReader::sample(const GreyView& picture, const Homography& homography, bool is_black_inside, double apart) {
  GreyPlane black, white;
  const auto add_to = [&](GreyPlane& plane, double mx, double my) {
    const double x = 2 * mx / width_ - 1, y = 2 * my / width_ - 1;
    double u, v, grey;
    homography.apply(x, y, u, v);
    if (grey_of_pixel(picture, u, v, grey)) plane.add(x, y, grey);
  };
  GreyPlane &inner = is_black_inside ? black : white, &outer = is_black_inside ? white : black;
  visit_border(width_, [&](double mx, double my, bool is_inside) { add_to(is_inside ? inner : outer, mx, my); });
  if (!black.solve() || !white.solve() || !(white.at(0, 0) > black.at(0, 0))) return false;

  std::fill(bits_.begin(), bits_.end(), 0);
  const int reach = apart > 0 ? 1 : 0;
  const double step = 2 * apart / width_;
  for (uint32_t bit = 0; bit < family().nbits; bit++) {
    const auto [bx, by] = module_of(family(), bit);
    const double x = 2 * (bx + 0.5) / width_ - 1, y = 2 * (by + 0.5) / width_ - 1;
    double sum = 0;
    int seen = 0;
    for (int i = -reach; i <= reach; i++)
      for (int j = -reach; j <= reach; j++) {
        double u, v, grey;
        homography.apply(x + i * step, y + j * step, u, v);
        if (grey_between(picture, u, v, grey)) sum += grey, seen++;
      }
    if (seen > 0) bits_[places_[bit]] = sum / seen - (black.at(x, y) + white.at(x, y)) / 2;
  }
  return true;
}

void TagReader::sharpen(double gain) {
  for (int y = 0; y < total_width_; y++)
    for (int x = 0; x < total_width_; x++) {
      const size_t at = static_cast<size_t>(y) * total_width_ + x;
      double difference = 4 * bits_[at];
      if (x > 0) difference -= bits_[at - 1];
      if (x + 1 < total_width_) difference -= bits_[at + 1];
      if (y > 0) difference -= bits_[at - total_width_];
      if (y + 1 < total_width_) difference -= bits_[at + total_width_];
      sharp_[at] = bits_[at] + gain * difference;
    }
}

uint64_t TagReader::code() const {
  uint64_t code = 0;
  for (const size_t place : places_) code = code << 1 | (sharp_[place] > 0);
  return code;
}

double TagReader::margin() const {
  double white = 0, black = 0;
  int whites = 1, blacks = 1;
  for (const size_t place : places_) {
    const double value = sharp_[place];
    if (value > 0) white += value, whites++;
    else black -= value, blacks++;
  }
  return std::min(white / whites, black / blacks);
}

}  // namespace vedette
