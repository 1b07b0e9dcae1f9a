#include "quad_refine.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "corners.h"
#include "straight_line.h"

namespace vedette {

namespace {

constexpr int MIN_SAMPLES = 16;
constexpr double LENGTH_PER_SAMPLE = 8;  // pixels
// How far from the edge it is looked for, and a pixel more for each pixel that was made one of several; and between
// which places the grey differs.
constexpr double REACH_PX = 1, STEP_PX = 0.5, HALF_WIDTH_PX = 1;
constexpr int MAX_DECIMATE = 8;
constexpr double MIN_SINE = 0.001;

/** None where nothing of it is seen. */
std::optional<StraightLine> edge_between(const GreyView& picture, const double (&from)[2], const double (&to)[2],
                                         bool is_black_inside, double reach_px) {
  double normal_x = to[1] - from[1], normal_y = from[0] - to[0];
  const double length = length_of(normal_x, normal_y);
  if (!(length > 0)) return {};
  // From black to white.
  const double sign = is_black_inside ? 1 : -1;
  normal_x *= sign / length;
  normal_y *= sign / length;
  const int samples = std::max(MIN_SAMPLES, static_cast<int>(length / LENGTH_PER_SAMPLE));
  constexpr int AHEAD = static_cast<int>(2 * HALF_WIDTH_PX / STEP_PX),
                MAX_PLACES = static_cast<int>(2 * (REACH_PX + MAX_DECIMATE) / STEP_PX) + 1;
  const int places = static_cast<int>(2 * reach_px / STEP_PX) + 1;
  double greys[MAX_PLACES + AHEAD];
  bool seen[MAX_PLACES + AHEAD];
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  int count = 0;
  for (int sample = 1; sample <= samples; sample++) {
    const double share = static_cast<double>(sample) / (samples + 1), x = from[0] + share * (to[0] - from[0]),
                 y = from[1] + share * (to[1] - from[1]);
    double place = 0, weights = 0;
    for (int i = 0; i < places + AHEAD; i++) {
      const double out = STEP_PX * i - reach_px - HALF_WIDTH_PX;
      seen[i] = grey_between(picture, x + out * normal_x, y + out * normal_y, greys[i]);
    }
    for (int i = 0; i < places; i++) {
      if (!seen[i] || !seen[i + AHEAD] || !(greys[i + AHEAD] > greys[i])) continue;
      const double difference = greys[i + AHEAD] - greys[i], weight = difference * difference;
      place += weight * (STEP_PX * i - reach_px);
      weights += weight;
    }
    if (!(weights > 0)) continue;
    place /= weights;
    // From the middle of the edge on, so that the sums stay small.
    const double px = (share - 0.5) * (to[0] - from[0]) + place * normal_x,
                 py = (share - 0.5) * (to[1] - from[1]) + place * normal_y;
    sx += px, sy += py, sxx += px * px, sxy += px * py, syy += py * py;
    count++;
  }
  if (count < 2) return {};
  const double mx = sx / count, my = sy / count;
  const Scatter scatter{(from[0] + to[0]) / 2 + mx, (from[1] + to[1]) / 2 + my, sxx / count - mx * mx,
                        sxy / count - mx * my, syy / count - my * my};
  const StraightLine line = scatter.line();
  return std::isfinite(line.normal_x) ? std::optional{line} : std::nullopt;
}

}  // namespace

void refine_quad(const GreyView& picture, Quad& quad, double decimate) {
  const double reach_px = REACH_PX + std::min<double>(decimate, MAX_DECIMATE);
  std::optional<StraightLine> edges[4];
  for (int i = 0; i < 4; i++)
    edges[i] = edge_between(picture, quad.corners[i], quad.corners[(i + 1) % 4], quad.is_black_inside, reach_px);
  for (int i = 0; i < 4; i++) {
    const auto &a = edges[i], &b = edges[(i + 1) % 4];
    if (!a || !b) continue;
    const Meeting corner = meeting_of(*a, *b);
    if (!(std::fabs(corner.sine) > MIN_SINE)) continue;
    quad.corners[(i + 1) % 4][0] = corner.x;
    quad.corners[(i + 1) % 4][1] = corner.y;
  }
}

}  // namespace vedette
