#include "tag_grid.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <set>

namespace vedette {

namespace {

constexpr int MIN_COLUMNS = 2, MAX_COLUMNS = 50;
constexpr size_t MIN_TAGS = 4;
constexpr double MAX_OFF = 0.2;  // of the way from tag to tag
constexpr int MAX_TRIES = 100;
constexpr double MIN_SHARE = 0.8;
constexpr double PIXEL_CENTRE = 0.5;  // the detector counts from the corner of the first pixel
/** Gaps of a quarter of a tag, as ours are, and of three tenths. */
constexpr double KNOWN_SIDES[] = {0.8, 1 / 1.3};
constexpr double NEAR_KNOWN = 0.012;

/** The corners of a tag's own square. */
constexpr double OWN_CORNERS[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};

/** The middle of a tag: y grows downwards and is 0 at the lower edge of the grid. */
cv::Point2d middle_of(int id, int columns) { return {id % columns + 0.5, -(id / columns) - 0.5}; }

cv::Point2d mapped(const cv::Matx33d& m, double x, double y) {
  const cv::Vec3d to = m * cv::Vec3d(x, y, 1);
  return {to[0] / to[2], to[1] / to[2]};
}

cv::Point2d corner_of(const SeenMarker& tag, int i) {
  cv::Point2d to;
  tag.homography.apply(OWN_CORNERS[i][0], OWN_CORNERS[i][1], to.x, to.y);
  return to;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/** Of one picture: where each of its tags lies on the grid, and how large they are there. */
struct Placed {
  size_t fitting = 0;
  double side = 0;
  std::vector<bool> fits;
};

std::optional<Placed> place(const SeenMarkers& tags, int columns) {
  std::vector<cv::Point2d> from, to;
  std::set<int> ups, acrosses;
  for (const SeenMarker& tag : tags) {
    from.emplace_back(tag.center[0], tag.center[1]);
    to.push_back(middle_of(tag.id, columns));
    ups.insert(tag.id / columns), acrosses.insert(tag.id % columns);
  }
  if (tags.size() < MIN_TAGS || ups.size() < 2 || acrosses.size() < 2) return std::nullopt;
  std::vector<uint8_t> near;
  const cv::Mat found = cv::findHomography(from, to, cv::RANSAC, MAX_OFF, near, MAX_TRIES);
  if (found.empty()) return std::nullopt;
  const cv::Matx33d grid_from(found);
  std::vector<double> sides;
  for (size_t n = 0; n < tags.size(); n++)
    for (int i = 0; i < 4 && near[n]; i++) {
      const cv::Point2d a = corner_of(tags[n], i), b = corner_of(tags[n], (i + 1) % 4);
      sides.push_back(cv::norm(mapped(grid_from, a.x, a.y) - mapped(grid_from, b.x, b.y)));
    }
  if (sides.empty()) return std::nullopt;
  Placed placed{0, median(sides), std::vector<bool>(tags.size(), false)};
  if (placed.side < 0.3 || placed.side > 0.95) return std::nullopt;
  for (size_t n = 0; n < tags.size(); n++) {
    const cv::Point2d middle = middle_of(tags[n].id, columns);
    bool fits = true;  // one that is turned is another tag
    for (int i = 0; i < 4; i++) {
      const cv::Point2d seen = corner_of(tags[n], i), at = mapped(grid_from, seen.x, seen.y);
      const cv::Point2d own(OWN_CORNERS[i][0] * placed.side / 2, OWN_CORNERS[i][1] * placed.side / 2);
      fits = fits && cv::norm(at - middle - own) <= placed.side / 4;
    }
    placed.fits[n] = fits;
    placed.fitting += fits;
  }
  return placed;
}

SeenMarkers of_family(const SeenMarkers& picture, int family) {
  SeenMarkers to;
  std::copy_if(picture.begin(), picture.end(), std::back_inserter(to),
               [&](const SeenMarker& tag) { return tag.family == family; });
  return to;
}

}  // namespace

std::optional<BoardLayout> recognise_grid(const std::vector<SeenMarkers>& pictures, int family) {
  std::vector<SeenMarkers> tags;
  for (const SeenMarkers& picture : pictures) tags.push_back(of_family(picture, family));
  std::optional<BoardLayout> best;
  size_t most = 0;
  for (int columns = MIN_COLUMNS; columns <= MAX_COLUMNS; columns++) {
    BoardLayout layout{family, columns, 0, false, 0, 0};
    size_t fitting = 0, all = 0;
    std::vector<double> sides;
    for (const SeenMarkers& picture : tags) {
      const auto placed = place(picture, columns);
      if (!placed) continue;
      all += picture.size();
      fitting += placed->fitting;
      sides.push_back(placed->side);
      for (size_t n = 0; n < picture.size(); n++)
        if (placed->fits[n]) layout.rows = std::max(layout.rows, picture[n].id / columns + 1);
    }
    if (fitting <= most) continue;
    most = fitting;
    layout.marker = median(sides);
    for (const double known : KNOWN_SIDES)
      if (std::fabs(layout.marker - known) < NEAR_KNOWN) layout.marker = known;
    layout.fitting_share = static_cast<double>(fitting) / static_cast<double>(all);
    best = layout;
  }
  if (!best || best->fitting_share < MIN_SHARE) return std::nullopt;
  return best;
}

std::vector<GridCorner> grid_corners(const SeenMarkers& picture, const BoardLayout& layout) {
  const SeenMarkers tags = of_family(picture, layout.family);
  const auto placed = place(tags, layout.columns);
  std::vector<GridCorner> to;
  for (size_t n = 0; placed && n < tags.size(); n++) {
    if (!placed->fits[n] || tags[n].id / layout.columns >= layout.rows) continue;
    const cv::Point2d middle = middle_of(tags[n].id, layout.columns);
    for (int i = 0; i < 4; i++) {
      const cv::Point2d seen = corner_of(tags[n], i);
      to.push_back({middle.x + OWN_CORNERS[i][0] * layout.marker / 2,
                    layout.rows + middle.y + OWN_CORNERS[i][1] * layout.marker / 2, seen.x - PIXEL_CENTRE,
                    seen.y - PIXEL_CENTRE});
    }
  }
  return to;
}

}  // namespace vedette
