#include "tag_edges.h"

#include <algorithm>
#include <cmath>

#include "corners.h"
#include "edge_fit.h"
#include "straight_line.h"

namespace vedette {

namespace {

using Corners = double[4][2];

// libapriltag looks for the strongest gradient at whole pixels, which leaves 0.09 px where edges run along the rows.
// Here what each pixel sees of an edge is fitted to it (edge_fit.h).
constexpr double MODULES_ACROSS = 0.5;  // on either side of an edge: farther out are the data, farther in other tags
constexpr double MIN_HALF_PX = 1.2, MAX_HALF_PX = 3;  // a sharp edge needs one; more than three bring nothing but noise
constexpr double MIN_USABLE_PX = 4;                   // of an edge
constexpr double FROM_EDGE_PX = 1;                    // the next one: nearer, its light is in what is fitted
constexpr double MAX_MOVED_PX = 2;
constexpr double MIN_SINE = 0.1;  // between two edges: there are no tags with corners flatter than that

// A part of what the fit leaves unexplained is its own and no chance, of its variance: corners of drawn tags, level and
// turned, scatter by that much less than all of it says.
constexpr double CHANCE = 0.85;
// What stays without noise: grey levels are whole numbers, and the lens bends edges, long ones more.
constexpr double NOISELESS_PX = 0.001, BENT = 0.00003;  // BENT: of the edge's length
// Where the blur is more than that of a module, the modules behind the next ones are in what is fitted, and draw the
// edge to themselves, by so much of what is more. Drawn tags with modules of 2.5 to 5 px, level and turned.
constexpr double CLEAR_OF_MODULE = 0.18, CROWDED_PX = 1;
// Even the fewest pixels that can be fitted see others than the next ones where modules are smaller than that: by so
// much of what they are smaller.
constexpr double CLEAR_MODULE_PX = 2.8, CROWDED_BY_SMALL = 0.12;
// A camera in motion washes edges out. As long as what is fitted reaches from black to white that is of no matter;
// beyond, the corners are wrong in ways that no fit shows, small tags more than large ones. A sharp edge is 1 to 2 px
// wide; the error grows from this width on, by so much of what is wider.
// A robot at 2.5 m/s needs that: with half of WASHED_OUT its poses are within 1, 2, 3 deviations in 62, 88, 98 of 100.
// WASHED_OUT: times the edge's length.
constexpr double CLEAR_WIDTH_PX = 1.8, CLEAR_WIDTH_PER_HALF = 0.4, WASHED_OUT = 6;
// From dark to bright by the slope in the middle, of a deviation; what a pixel's own extent adds to the blur.
constexpr double WIDTH_OF_BLUR = 2.5066, PIXEL_VARIANCE = 1.0 / 12;
constexpr double SLOPE_VARIANCE = 1.0 / 12;  // more of it, in the slope between two pixels

/** variance: of its distance at either end. washed_out_px: what its width adds. blur_px: as a pixel sees it. */
struct Line : StraightLine {
  double variance = 0, washed_out_px = 0, blur_px = 0;
};

/**
 * How far from a corner what reaches that far from an edge stays out of the light of the other one, which leads away
 * from the corner: farther where the two are close. At most a quarter of the edge.
 */
double clear_from_px(const double* corner, const double* along, const double* away, double half_px) {
  const double ax = along[0] - corner[0], ay = along[1] - corner[1], bx = away[0] - corner[0], by = away[1] - corner[1];
  const double cotangent = std::max(0.0, (ax * bx + ay * by) / std::fabs(ax * by - ay * bx));
  return std::min(FROM_EDGE_PX * std::sqrt(1 + cotangent * cotangent) + half_px * cotangent, length_of(ax, ay) / 4);
}

bool follow_edge(const GreyView& picture, const BorderSquare& square, const Corners& corners, int side, Line& line) {
  const double *from = corners[side], *to = corners[(side + 1) % 4];
  const double *opposite = corners[(side + 2) % 4], *other = corners[(side + 3) % 4];
  const double length = length_of(to[0] - from[0], to[1] - from[1]);
  if (!(length > 2 * FROM_EDGE_PX + MIN_USABLE_PX)) return false;
  double normal_x = (to[1] - from[1]) / length, normal_y = (from[0] - to[0]) / length;
  const double across_x = from[0] + to[0] - opposite[0] - other[0], across_y = from[1] + to[1] - opposite[1] - other[1];
  double depth = (across_x * normal_x + across_y * normal_y) / 2;
  if (depth < 0) normal_x = -normal_x, normal_y = -normal_y, depth = -depth;
  const double module_px = depth / square.modules;
  if (square.is_light) normal_x = -normal_x, normal_y = -normal_y;

  const double half_px = std::clamp(MODULES_ACROSS * module_px, MIN_HALF_PX, MAX_HALF_PX);
  const double skip_px = clear_from_px(from, to, other, half_px);
  const double skip_at_end_px = clear_from_px(to, from, opposite, half_px);
  FittedEdge edge;
  if (!fit_edge(picture, {from, to, normal_x, normal_y, half_px, skip_px, skip_at_end_px}, edge)) return false;
  line.x = edge.x, line.y = edge.y, line.normal_x = edge.normal_x, line.normal_y = edge.normal_y;
  line.blur_px = std::sqrt(edge.blur_px * edge.blur_px + PIXEL_VARIANCE);
  const double crowded_px = CROWDED_PX * std::max(0.0, line.blur_px / module_px - CLEAR_OF_MODULE);
  const double small_px = CROWDED_BY_SMALL * std::max(0.0, CLEAR_MODULE_PX - module_px), bent_px = BENT * length;
  line.variance = CHANCE * edge.variance + NOISELESS_PX * NOISELESS_PX;
  line.variance += bent_px * bent_px + crowded_px * crowded_px + small_px * small_px;
  const double width_px = WIDTH_OF_BLUR * std::sqrt(line.blur_px * line.blur_px + SLOPE_VARIANCE);
  line.washed_out_px = WASHED_OUT / length * std::max(0.0, width_px - CLEAR_WIDTH_PX - CLEAR_WIDTH_PER_HALF * half_px);
  return true;
}

}  // namespace

EdgeExactness follow_edges(const GreyView& picture, const BorderSquare& square, double (&corners)[4][2]) {
  Line lines[4];
  for (int side = 0; side < 4; side++)
    if (!follow_edge(picture, square, corners, side, lines[side])) return {};
  Corners moved;
  double variance = 0, washed_out_px = 0, blur_px = 0;
  for (int k = 0; k < 4; k++) {
    const Meeting corner = meeting_of(lines[(k + 3) % 4], lines[k]);
    if (!(std::fabs(corner.sine) >= MIN_SINE)) return {};
    moved[k][0] = corner.x;
    moved[k][1] = corner.y;
    if (!(length_of(corner.x - corners[k][0], corner.y - corners[k][1]) < MAX_MOVED_PX)) return {};
    variance += lines[k].variance / 4;
    blur_px += lines[k].blur_px / 4;
    washed_out_px = std::max(washed_out_px, lines[k].washed_out_px);
  }
  std::copy(&moved[0][0], &moved[0][0] + 8, &corners[0][0]);
  return {std::sqrt(variance + washed_out_px * washed_out_px), washed_out_px, blur_px};
}

}  // namespace vedette
