#include "tag_edges.h"

#include <algorithm>
#include <cmath>

#include "corners.h"
#include "straight_line.h"

namespace vedette {

namespace {

using Corners = double[4][2];

// libapriltag looks for the strongest gradient at whole pixels, which leaves 0.09 px where edges run along the rows. Here the light under the edge's
// profile is summed: that is linear in the edge's place, so noise averages out and blur, being symmetric, does not matter.
constexpr int ROUNDS = 2;                   // the second finds 0.01 px
constexpr double MODULES_ACROSS = 0.6;      // of the profile's half: farther out lie the data, farther in other tags
constexpr double LEAST_HALF_PX = 1.2, MOST_HALF_PX = 2;  // a sharp edge needs one; more than two bring nothing but noise
constexpr double STEP_PX = 0.5;  // about: the profile's half is a whole number of steps
constexpr int MOST_STEPS = 2 * static_cast<int>(MOST_HALF_PX / STEP_PX) + 1;
constexpr int LEAST_PROFILES = 4, MOST_PROFILES = 64;
constexpr double FROM_EDGE_PX = 1;  // the next one: nearer, its light is in the profile
constexpr double LEAST_SINE = 0.1;  // between two edges: there are no tags with corners flatter than that
constexpr double LEAST_CONTRAST = 3;  // grey levels

// Neighbouring profiles share pixels, so their errors are not independent: measured corners scatter by this much more than a fit to them claims.
constexpr double NEIGHBOURS = 1.85;
// What stays without noise: grey levels are whole numbers, and the lens bends edges, long ones more.
constexpr double NOISELESS_PX = 0.001, BENT = 0.00003;  // BENT: of the edge's length
// Where the light changes over more than half a module, that of the next but one is in the profile and draws the edge to itself, by so much of what is more.
constexpr double CLEAR_OF_MODULE = 0.52, CROWDED = 0.14;
// A camera in motion washes edges out. As long as a profile reaches from black to white that is of no matter; beyond, the corners are wrong in ways that
// no fit shows, small tags more than large ones. A sharp edge is 1.3 to 2 px wide; the error grows from this width on, by so much of what is wider.
// A robot at 2.5 m/s needs that: with half of WASHED_OUT its poses are within 1, 2, 3 deviations in 62, 88, 98 of 100, with this in 72, 93, 99.
constexpr double CLEAR_WIDTH_PX = 1.8, CLEAR_WIDTH_PER_HALF = 0.4, WASHED_OUT = 6;  // WASHED_OUT: times the edge's length

/** variance: of its distance at either end. washed_out_px: what its width adds. */
struct Line : StraightLine {
  double variance = 0, washed_out_px = 0;
};

/** A straight line through points (at, value): value = middle + slope * (at - centre). */
struct Trend {
  double centre = 0, middle = 0, slope = 0, spread = 0;

  Trend(const double* at, const double* values, int count) {
    for (int i = 0; i < count; i++) centre += at[i] / count, middle += values[i] / count;
    double along = 0;
    for (int i = 0; i < count; i++) {
      spread += (at[i] - centre) * (at[i] - centre);
      along += (at[i] - centre) * (values[i] - middle);
    }
    slope = spread > 0 ? along / spread : 0;
  }
  double operator()(double x) const { return middle + slope * (x - centre); }
};

/** The light across one edge, from its dark side to its bright one, at places along it. */
class EdgeProfiles {
 public:
  /** skip_px: at either end. False when too little of the edge can be seen. */
  bool read(const GreyView& picture, const double* from, const double* to, double normal_x, double normal_y, double half_px, double skip_px, double skip_at_end_px) {
    length_ = length_of(to[0] - from[0], to[1] - from[1]);
    along_x_ = (to[0] - from[0]) / length_;
    along_y_ = (to[1] - from[1]) / length_;
    const int half_steps = std::max(1, static_cast<int>(std::lround(half_px / STEP_PX)));
    steps_ = 2 * half_steps + 1;
    step_px_ = half_px / half_steps;
    half_px_ = half_px;
    const double usable = length_ - skip_px - skip_at_end_px;
    const int wanted = std::clamp(static_cast<int>(usable), LEAST_PROFILES, MOST_PROFILES);
    count_ = 0;
    for (int i = 0; i < wanted; i++) {
      const double at = skip_px + usable * (i + 0.5) / wanted;
      const double x = from[0] + along_x_ * at, y = from[1] + along_y_ * at;
      bool inside = true;
      for (int step = 0; inside && step < steps_; step++) {
        const double out = step_px_ * step - half_px_;
        inside = grey_between(picture, x + normal_x * out, y + normal_y * out, light_[count_][step]);
      }
      if (inside) at_[count_++] = at - length_ / 2;
    }
    return count_ >= std::max(LEAST_PROFILES, wanted / 2);
  }

  /** The line through the places where dark turns to light, as distances along the normal from the edge that was read. */
  bool fit(double& offset, double& slope, double& end_variance) {
    double inner[MOST_PROFILES], outer[MOST_PROFILES];
    for (int i = 0; i < count_; i++) inner[i] = light_[i][0], outer[i] = light_[i][steps_ - 1];
    const Trend dark(at_, inner, count_), bright(at_, outer, count_);  // light falls off along the edge

    int kept = 0;
    double place[MOST_PROFILES], at[MOST_PROFILES];
    for (int i = 0; i < count_; i++) {
      const double white = bright(at_[i]), contrast = white - dark(at_[i]);
      if (contrast < LEAST_CONTRAST) return false;
      double shade = -0.5 * (2 * white - light_[i][0] - light_[i][steps_ - 1]);
      for (int step = 0; step < steps_; step++) shade += white - light_[i][step];
      const double out = shade * step_px_ / contrast - half_px_;
      if (std::fabs(out) > 0.9 * half_px_) continue;  // covered, or not an edge
      place[kept] = out;
      at[kept++] = at_[i];
    }
    if (kept < std::max(LEAST_PROFILES, count_ / 2)) return false;
    const Trend edge(at, place, kept);
    double squares = 0;
    for (int i = 0; i < kept; i++) squares += (place[i] - edge(at[i])) * (place[i] - edge(at[i]));
    const double variance = squares / (kept - 2), to_end = length_ / 2 + std::fabs(edge.centre);
    offset = edge(0);
    slope = edge.slope;
    end_variance = variance * (1.0 / kept + to_end * to_end / edge.spread);
    return edge.spread > 0;
  }

  /** Over which the light changes, by the slope in its middle; at most that of the profiles. */
  double width_px() const {
    const int middle = steps_ / 2;
    double slope = 0, change = 0;
    for (int i = 0; i < count_; i++) {
      slope += (light_[i][middle + 1] - light_[i][middle - 1]) / (2 * step_px_);
      change += light_[i][steps_ - 1] - light_[i][0];
    }
    return slope > 0 ? std::min(change / slope, 2 * half_px_) : 2 * half_px_;
  }

  double along_x() const { return along_x_; }
  double along_y() const { return along_y_; }

 private:
  double length_ = 0, along_x_ = 0, along_y_ = 0, half_px_ = 0, step_px_ = 0;
  int steps_ = 0, count_ = 0;
  double at_[MOST_PROFILES], light_[MOST_PROFILES][MOST_STEPS];
};

/** How far from a corner profiles of that half stay out of the light of the edge that leads away from it: farther where the two are close. At most a quarter of the edge. */
double clear_from_px(const double* corner, const double* along, const double* away, double half_px) {
  const double ax = along[0] - corner[0], ay = along[1] - corner[1], bx = away[0] - corner[0], by = away[1] - corner[1];
  const double cotangent = std::max(0.0, (ax * bx + ay * by) / std::fabs(ax * by - ay * bx));
  return std::min(FROM_EDGE_PX * std::sqrt(1 + cotangent * cotangent) + half_px * cotangent, length_of(ax, ay) / 4);
}

bool fit_edge(const GreyView& picture, const BorderSquare& square, const Corners& corners, int side, Line& line) {
  const double *from = corners[side], *to = corners[(side + 1) % 4], *opposite = corners[(side + 2) % 4], *other = corners[(side + 3) % 4];
  const double length = length_of(to[0] - from[0], to[1] - from[1]);
  if (!(length > 2 * FROM_EDGE_PX + LEAST_PROFILES)) return false;
  double normal_x = (to[1] - from[1]) / length, normal_y = (from[0] - to[0]) / length;
  double depth = ((from[0] + to[0] - opposite[0] - other[0]) * normal_x + (from[1] + to[1] - opposite[1] - other[1]) * normal_y) / 2;
  if (depth < 0) normal_x = -normal_x, normal_y = -normal_y, depth = -depth;
  const double module_px = depth / square.modules;
  if (square.is_light) normal_x = -normal_x, normal_y = -normal_y;

  EdgeProfiles profiles;
  double offset, slope;
  const double half_px = std::clamp(MODULES_ACROSS * module_px, LEAST_HALF_PX, MOST_HALF_PX);
  if (!profiles.read(picture, from, to, normal_x, normal_y, half_px, clear_from_px(from, to, other, half_px), clear_from_px(to, from, opposite, half_px))) return false;
  if (!profiles.fit(offset, slope, line.variance)) return false;
  const double width_px = profiles.width_px(), crowded_px = CROWDED * std::max(0.0, width_px - CLEAR_OF_MODULE * module_px);
  line.variance = NEIGHBOURS * line.variance + NOISELESS_PX * NOISELESS_PX + BENT * length * BENT * length + crowded_px * crowded_px;
  line.washed_out_px = WASHED_OUT / length * std::max(0.0, width_px - CLEAR_WIDTH_PX - CLEAR_WIDTH_PER_HALF * half_px);
  const double turn = std::sqrt(1 + slope * slope);
  line.x = (from[0] + to[0]) / 2 + normal_x * offset;
  line.y = (from[1] + to[1]) / 2 + normal_y * offset;
  line.normal_x = (normal_x - slope * profiles.along_x()) / turn;
  line.normal_y = (normal_y - slope * profiles.along_y()) / turn;
  return true;
}

}  // namespace

EdgeExactness follow_edges(const GreyView& picture, const BorderSquare& square, double (&corners)[4][2]) {
  Corners moved;
  std::copy(&corners[0][0], &corners[0][0] + 8, &moved[0][0]);
  double variance = 0, washed_out_px = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Line lines[4];
    for (int side = 0; side < 4; side++)
      if (!fit_edge(picture, square, moved, side, lines[side])) return {};
    variance = washed_out_px = 0;
    for (int k = 0; k < 4; k++) {
      const Meeting corner = meeting_of(lines[(k + 3) % 4], lines[k]);
      if (std::fabs(corner.sine) < LEAST_SINE) return {};
      moved[k][0] = corner.x;
      moved[k][1] = corner.y;
      variance += lines[k].variance / 4;
      washed_out_px = std::max(washed_out_px, lines[k].washed_out_px);
    }
  }
  for (int k = 0; k < 4; k++)
    if (!(length_of(moved[k][0] - corners[k][0], moved[k][1] - corners[k][1]) < MOST_HALF_PX)) return {};
  std::copy(&moved[0][0], &moved[0][0] + 8, &corners[0][0]);
  return {std::sqrt(variance + washed_out_px * washed_out_px), washed_out_px};
}

}  // namespace vedette
