#include "chart_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <queue>
#include <set>

namespace vedette {

namespace {

// As machines/ipa/chart-drawing.ts draws them, in steps from patch to patch.
constexpr int FIRST_MARKER = 44, MARKERS = 4;
constexpr double FRAME = 0.15, MARKER = 0.75, BESIDE_FRAME = 0.2;
constexpr double MAX_MARKER_ERROR = 0.06;  // steps; markers of a board for calibration lie elsewhere
constexpr double MAX_MARKER_OFF = 0.3;     // of one beside a chart that was found by its patches

constexpr int WINDOWS[] = {21, 31, 41, 81, 161};
constexpr double MIN_SIDE = 6;  // pixels
constexpr double STEP = 1.15;   // sides of a patch
// From an outline to the next, in its sides: outlines are smaller than their patches, by as much as is blurred.
constexpr double MIN_STEP = 0.95, MAX_STEP = 2, MAX_BESIDE = 0.3;
constexpr double MAX_GROWTH = 0.45;  // logarithm
constexpr size_t MIN_OUTLINES = 8, MAX_OUTLINES = 4000;
constexpr double MAX_DISTANCE = 25;
constexpr double MAX_OUTLINE_ERROR = 0.2;  // steps

/** Four corners clockwise, and what follows from them. */
struct Outline {
  cv::Point2f corners[4];
  cv::Point2f center;
  double side;

  /** Along the edge that begins at a corner: the mean of it and the one across. */
  cv::Point2f edge(int from) const {
    return (corners[(from + 1) % 4] - corners[from] + corners[(from + 2) % 4] - corners[(from + 3) % 4]) * 0.5f;
  }
};

double length(const cv::Point2f& each) { return std::hypot(each.x, each.y); }

std::optional<Outline> outline_of(const std::vector<cv::Point>& contour) {
  const double around = cv::arcLength(contour, true);
  if (around < 4 * MIN_SIDE) return {};
  std::vector<cv::Point> found;
  cv::approxPolyDP(contour, found, 0.06 * around, true);
  if (found.size() != 4 || !cv::isContourConvex(found)) return {};
  const double area = cv::contourArea(found, true), contours_area = cv::contourArea(contour);
  if (std::abs(area) < MIN_SIDE * MIN_SIDE || std::abs(std::abs(area) - contours_area) > 0.25 * contours_area)
    return {};
  if (area < 0) std::reverse(found.begin(), found.end());  // mixed order would mirror the lattice
  Outline outline;
  double least = 1e9, most = 0;
  for (int i = 0; i < 4; i++) {
    outline.corners[i] = found[i];
    outline.center += outline.corners[i] * 0.25f;
    const double side = length(cv::Point2f(found[(i + 1) % 4]) - cv::Point2f(found[i]));
    least = std::min(least, side), most = std::max(most, side);
  }
  if (most > 3 * least) return {};
  outline.side = std::sqrt(std::abs(area));
  return outline;
}

/** Each place once, however many windows show it. */
void add_outlines(const cv::Mat& shade, std::vector<Outline>& to) {
  for (const int window : WINDOWS) {
    if (window >= std::min(shade.cols, shade.rows)) break;
    cv::Mat light;
    cv::adaptiveThreshold(shade, light, 255, cv::ADAPTIVE_THRESH_GAUSSIAN_C, cv::THRESH_BINARY, window, 0);
    cv::erode(light, light, cv::Mat());  // what touches another is cut off it
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(light, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
    for (const auto& contour : contours) {
      const auto outline = outline_of(contour);
      if (!outline || outline->side > 0.3 * std::max(shade.cols, shade.rows)) continue;
      const bool is_there = std::any_of(to.begin(), to.end(), [&](const Outline& each) {
        return length(each.center - outline->center) < 0.25 * each.side &&
               std::abs(each.side / outline->side - 1) < 0.15;
      });
      if (!is_there && to.size() < MAX_OUTLINES) to.push_back(*outline);
    }
  }
}

using Place = std::pair<int, int>;

/** From one outline to its neighbours, as far as there are some. */
std::map<Place, int> grow(const std::vector<Outline>& outlines, int seed) {
  std::map<Place, int> places{{{0, 0}, seed}};
  std::map<int, cv::Point2f> along{{seed, outlines[seed].edge(0)}};
  std::queue<std::pair<Place, int>> next;
  next.push({{0, 0}, seed});
  while (!next.empty() && places.size() < 64) {
    const auto [place, at] = next.front();
    next.pop();
    const Outline& outline = outlines[at];
    // the edge that goes on in the direction of the seed's first
    int first = 0;
    for (int i = 1; i < 4; i++)
      if (outline.edge(i).dot(along[at]) / length(outline.edge(i)) >
          outline.edge(first).dot(along[at]) / length(outline.edge(first)))
        first = i;
    const cv::Point2f right = outline.edge(first), down = outline.edge((first + 1) % 4);
    const std::pair<Place, cv::Point2f> ways[] = {{{1, 0}, right}, {{-1, 0}, -right}, {{0, 1}, down}, {{0, -1}, -down}};
    for (const auto& [by, side] : ways) {
      const Place there{place.first + by.first, place.second + by.second};
      if (places.count(there)) continue;
      int best = -1;
      double least = MAX_STEP;
      for (int i = 0; i < static_cast<int>(outlines.size()); i++) {
        const cv::Point2f apart = outlines[i].center - outline.center;
        const double on = apart.dot(side) / side.dot(side), beside = std::abs(apart.cross(side)) / side.dot(side);
        const double far = on + 2 * beside;
        if (on < MIN_STEP || beside > MAX_BESIDE || far >= least || along.count(i) > 0) continue;
        if (std::abs(std::log(outlines[i].side / outline.side)) < MAX_GROWTH) best = i, least = far;
      }
      if (best < 0) continue;
      places[there] = best;
      along[best] = outline.edge(first);
      next.push({there, best});
    }
  }
  return places;
}

/** Turned by quarters: where the cell (x, y) of a lattice of so many columns and rows is. */
cv::Point2f turned(int quarters, const cv::Point2f& at) {
  switch (quarters) {
    case 1:
      return {CHART_COLUMNS - at.y, at.x};
    case 2:
      return {CHART_COLUMNS - at.x, CHART_ROWS - at.y};
    case 3:
      return {at.y, CHART_ROWS - at.x};
    default:
      return at;
  }
}

struct Placed {
  LatticeMap map;
  double distance = 1e9;
};

double distance_of(const cv::Mat& picture, const LatticeMap& map) {
  std::array<cv::Vec3b, CHART_PATCHES> seen;
  return patch_glances(picture, map, seen) ? chart_distance(seen) : 1e9;
}

std::optional<LatticeMap> fit(const std::vector<cv::Point2f>& from, const std::vector<cv::Point2f>& to, double limit) {
  const cv::Mat found = limit > 0 ? cv::findHomography(from, to, cv::RANSAC, limit) : cv::findHomography(from, to, 0);
  if (found.empty()) return {};
  return LatticeMap(found);
}

/** All placements of the chart's cells over those that were found, in four turns. */
Placed place_chart(const cv::Mat& picture, const std::vector<Outline>& outlines, const std::map<Place, int>& places) {
  int left = 99, top = 99, right = -99, bottom = -99;
  double side = 0;
  for (const auto& [place, at] : places) {
    left = std::min(left, place.first), right = std::max(right, place.first);
    top = std::min(top, place.second), bottom = std::max(bottom, place.second);
    side += outlines[at].side / places.size();
  }
  Placed best;
  for (int quarters = 0; quarters < 4; quarters++) {
    const bool is_upright = quarters % 2 == 0;
    const int columns = is_upright ? CHART_COLUMNS : CHART_ROWS, rows = is_upright ? CHART_ROWS : CHART_COLUMNS;
    // outlines of what lies beside the chart may have been taken for some of it
    for (int x0 = right - columns + 1 - 1; x0 <= left + 1; x0++)
      for (int y0 = bottom - rows + 1 - 1; y0 <= top + 1; y0++) {
        std::vector<cv::Point2f> from, to;
        for (const auto& [place, at] : places) {
          const int column = place.first - x0, row = place.second - y0;
          if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
          from.push_back(turned(quarters, {column + 0.5f, row + 0.5f}));
          to.push_back(outlines[at].center);
        }
        if (from.size() < MIN_OUTLINES) continue;
        const auto map = fit(from, to, MAX_OUTLINE_ERROR * side);
        if (!map) continue;
        const double distance = distance_of(picture, *map);
        if (distance < best.distance) best = {*map, distance};
      }
  }
  return best;
}

/** By every outline that lies where a patch is. */
LatticeMap refined(const std::vector<Outline>& outlines, const LatticeMap& map) {
  std::vector<cv::Point2f> from, to;
  for (int patch = 0; patch < CHART_PATCHES; patch++) {
    const double x = patch % CHART_COLUMNS + 0.5, y = patch / CHART_COLUMNS + 0.5;
    const cv::Point2f there = apply(map, x, y);
    const double step = length(cv::Point2f(apply(map, x + 0.5, y)) - cv::Point2f(apply(map, x - 0.5, y)));
    for (const Outline& outline : outlines)
      if (length(outline.center - there) < MAX_OUTLINE_ERROR * step &&
          std::abs(outline.side * STEP / step - 0.9) < 0.35) {
        from.emplace_back(x, y);
        to.push_back(outline.center);
        break;
      }
  }
  if (from.size() < MIN_OUTLINES) return map;
  return fit(from, to, 0).value_or(map);
}

/** Of a marker of the chart: where its corners are on the lattice and in the picture. None of any other. */
void add_corners(const SeenMarker& marker, std::vector<cv::Point2f>& from, std::vector<cv::Point2f>& to) {
  const double left = -FRAME - BESIDE_FRAME - MARKER, right = CHART_COLUMNS + FRAME + BESIDE_FRAME;
  const double top = -FRAME, bottom = CHART_ROWS + FRAME - MARKER;
  const double places[MARKERS][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  const int which = marker.id - FIRST_MARKER;
  if (marker.family != 0 || which < 0 || which >= MARKERS) return;
  for (const int x : {-1, 1})
    for (const int y : {-1, 1}) {
      double u, v;
      marker.homography.apply(x, y, u, v);
      from.emplace_back(places[which][0] + MARKER * (x + 1) / 2, places[which][1] + MARKER * (y + 1) / 2);
      to.emplace_back(u, v);
    }
}

/** Of the corners from where they should be, in steps. */
double farthest(const LatticeMap& map, const std::vector<cv::Point2f>& from, const std::vector<cv::Point2f>& to) {
  const LatticeMap back = map.inv();
  double most = 0;
  for (size_t i = 0; i < from.size(); i++) {
    const cv::Point2d there = apply(back, to[i].x, to[i].y);
    most = std::max(most, std::hypot(there.x - from[i].x, there.y - from[i].y));
  }
  return most;
}

}  // namespace

std::optional<LatticeMap> find_by_markers(const SeenMarkers& markers) {
  std::vector<cv::Point2f> from, to;
  for (const SeenMarker& marker : markers) add_corners(marker, from, to);
  if (from.size() < 12) return {};
  const auto map = fit(from, to, 0);
  return map && farthest(*map, from, to) <= MAX_MARKER_ERROR ? map : std::nullopt;
}

bool has_marker(const LatticeMap& map, const SeenMarkers& markers) {
  return std::any_of(markers.begin(), markers.end(), [&](const SeenMarker& marker) {
    std::vector<cv::Point2f> from, to;
    add_corners(marker, from, to);
    return !from.empty() && farthest(map, from, to) <= MAX_MARKER_OFF;
  });
}

std::optional<LatticeMap> find_by_patches(const cv::Mat& picture) {
  cv::Mat channels[3], shade;
  cv::split(picture, channels);
  cv::max(channels[0], channels[1], shade);
  cv::max(shade, channels[2], shade);
  std::vector<Outline> outlines;
  add_outlines(shade, outlines);
  Placed best;
  std::set<int> tried;
  for (int seed = 0; seed < static_cast<int>(outlines.size()); seed++) {
    if (tried.count(seed)) continue;
    const auto places = grow(outlines, seed);
    if (places.size() < MIN_OUTLINES) continue;
    for (const auto& [place, at] : places) tried.insert(at);
    const Placed found = place_chart(picture, outlines, places);
    if (found.distance < best.distance) best = found;
  }
  if (best.distance > MAX_DISTANCE) return {};
  const LatticeMap better = refined(outlines, best.map);
  return distance_of(picture, better) <= MAX_DISTANCE ? better : best.map;
}

std::optional<LatticeMap> map_onto(const cv::Mat& picture, const cv::Point2f (&corners)[4]) {
  const cv::Point2f cells[4] = {{0, 0}, {CHART_COLUMNS, 0}, {CHART_COLUMNS, CHART_ROWS}, {0, CHART_ROWS}};
  Placed best;
  std::optional<LatticeMap> first;
  for (int begin = 0; begin < 4; begin++) {
    std::vector<cv::Point2f> from, to;
    for (int i = 0; i < 4; i++) {
      from.push_back(cells[i]);
      to.push_back(corners[(begin + i) % 4]);
    }
    const auto map = fit(from, to, 0);
    if (!map) continue;
    if (!first) first = map;
    const double distance = distance_of(picture, *map);
    if (distance < best.distance) best = {*map, distance};
  }
  return best.distance < 1e9 ? std::optional(best.map) : first;
}

}  // namespace vedette
