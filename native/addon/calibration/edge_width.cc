#include "edge_width.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vedette {

namespace {

constexpr double PIXEL_CENTRE = 0.5;  // corners count from it, pictures from the corner of the first pixel
constexpr double ALONG[] = {0.35, 0.5, 0.65};
constexpr double STEP = 0.25, MAX_REACH_PX = 10, MIN_REACH_PX = 1.5;
constexpr double USED_OF_WHITE = 0.85;  // the rest is the marker's own edge
constexpr double MIN_CONTRAST = 20;

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/** Of a line across an edge, its middle on it. */
std::optional<double> width_at(const GreyView& picture, double x, double y, double across_x, double across_y,
                               double reach) {
  double least = 255, most = 0, steepest = 0;
  std::vector<double> greys;
  const int count = static_cast<int>(reach / STEP);
  for (int i = -count; i <= count; i++) {
    double grey;
    if (!grey_between(picture, x + i * STEP * across_x, y + i * STEP * across_y, grey)) return std::nullopt;
    greys.push_back(grey);
    least = std::min(least, grey), most = std::max(most, grey);
  }
  // over a whole pixel: a step between two pixels has no slope of its own
  const size_t pixel = static_cast<size_t>(1 / STEP);
  for (size_t i = pixel; i < greys.size(); i++) steepest = std::max(steepest, std::fabs(greys[i] - greys[i - pixel]));
  if (most - least < MIN_CONTRAST) return std::nullopt;
  return (most - least) / steepest;
}

}  // namespace

double edge_width(const GreyView& picture, const std::vector<ChessCorner>& corners, double white_share) {
  std::vector<double> widths[2];
  for (const ChessCorner& from : corners)
    for (const ChessCorner& to : corners) {
      const bool lies = to.row == from.row && to.column == from.column + 1;
      const bool stands = to.column == from.column && to.row == from.row + 1;
      if (!lies && !stands) continue;
      const double along_x = to.u - from.u, along_y = to.v - from.v, length = std::hypot(along_x, along_y);
      const double reach = std::min(MAX_REACH_PX, USED_OF_WHITE * white_share * length);
      if (reach < MIN_REACH_PX) continue;
      for (const double share : ALONG)
        if (const auto width =
                width_at(picture, from.u + share * along_x + PIXEL_CENTRE, from.v + share * along_y + PIXEL_CENTRE,
                         -along_y / length, along_x / length, reach))
          widths[lies ? 0 : 1].push_back(*width);
    }
  return std::max(median(widths[0]), median(widths[1]));
}

}  // namespace vedette
