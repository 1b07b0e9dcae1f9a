#include "board_layout.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <set>

namespace vedette {

namespace {

constexpr int MIN_COLUMNS = 3, MAX_COLUMNS = 30;
constexpr size_t MIN_MARKERS = 4;
constexpr double MAX_OFF_SQUARES = 0.18;  // a quarter of a marker's side
constexpr int MAX_TRIES = 100;            // where four of five fit, four of a try do in two of five
constexpr double MIN_SHARE = 0.8;         // right layouts have 1.00, wrong ones 0.60 at most

/** The corners of a marker's own square, in the order of SeenMarker's. */
constexpr double OWN_CORNERS[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};

/** A layout without its marker's size. */
struct Candidate {
  int columns;
  bool starts_white;
};

std::optional<cv::Matx33d> board_from_picture(const SeenMarkers& markers, const Candidate& candidate,
                                              std::vector<uint8_t>& fits) {
  std::vector<cv::Point2d> from, to;
  std::set<int> rows, columns;
  for (const SeenMarker& marker : markers) {
    const BoardSquare square = square_of_marker(marker.id, candidate.columns, candidate.starts_white);
    from.emplace_back(marker.center[0], marker.center[1]);
    to.emplace_back(square.column + 0.5, square.row + 0.5);
    rows.insert(square.row);
    columns.insert(square.column);
  }
  // of markers in a line any width of the board is as good
  if (from.size() < MIN_MARKERS || rows.size() < 3 || columns.size() < 3) return std::nullopt;
  const cv::Mat found = cv::findHomography(from, to, cv::RANSAC, MAX_OFF_SQUARES, fits, MAX_TRIES);
  if (found.empty()) return std::nullopt;
  return cv::Matx33d(found);
}

cv::Point2d mapped(const cv::Matx33d& m, double x, double y) {
  const cv::Vec3d to = m * cv::Vec3d(x, y, 1);
  return {to[0] / to[2], to[1] / to[2]};
}

/** Side of a marker in squares, as the homography has it. */
double side_of(const cv::Matx33d& board_from, const SeenMarker& marker) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const double(&a)[2] = marker.corners[i], (&b)[2] = marker.corners[(i + 1) % 4];
    sum += cv::norm(mapped(board_from, a[0], a[1]) - mapped(board_from, b[0], b[1])) / 4;
  }
  return sum;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/** All corners within a quarter of a side of where they belong: one that is turned is another marker. */
bool lies_there(const cv::Matx33d& board_from, const SeenMarker& marker, const Candidate& candidate, double side) {
  const BoardSquare square = square_of_marker(marker.id, candidate.columns, candidate.starts_white);
  for (int i = 0; i < 4; i++) {
    double u, v;
    marker.homography.apply(OWN_CORNERS[i][0], OWN_CORNERS[i][1], u, v);
    const cv::Point2d at = mapped(board_from, u, v);
    const double x = square.column + 0.5 + OWN_CORNERS[i][0] * side / 2;
    const double y = square.row + 0.5 + OWN_CORNERS[i][1] * side / 2;
    if (!(std::hypot(at.x - x, at.y - y) <= side / 4)) return false;
  }
  return true;
}

/** What a candidate explains of all pictures that can tell. */
struct Explained {
  size_t fitting = 0, all = 0;
  std::vector<double> sides;
  int rows = 0;
  double share() const { return all == 0 ? 0 : static_cast<double>(fitting) / static_cast<double>(all); }
};

Explained explain(const std::vector<SeenMarkers>& pictures, const Candidate& candidate) {
  Explained to;
  for (const SeenMarkers& picture : pictures) {
    std::vector<uint8_t> fits;
    const auto board_from = board_from_picture(picture, candidate, fits);
    if (!board_from) continue;
    std::vector<double> sides;
    for (size_t i = 0; i < picture.size(); i++)
      if (fits[i]) sides.push_back(side_of(*board_from, picture[i]));
    to.all += picture.size();
    if (sides.size() < MIN_MARKERS) continue;
    const double side = median(sides);
    if (side < 0.3 || side > 0.95) continue;
    for (const SeenMarker& marker : picture) {
      if (!lies_there(*board_from, marker, candidate, side)) continue;
      to.fitting++;
      to.rows = std::max(to.rows, square_of_marker(marker.id, candidate.columns, candidate.starts_white).row + 1);
    }
    to.sides.insert(to.sides.end(), sides.begin(), sides.end());
  }
  return to;
}

/** Those of one family. */
std::vector<SeenMarkers> of_family(const std::vector<SeenMarkers>& pictures, int family) {
  std::vector<SeenMarkers> to;
  for (const SeenMarkers& picture : pictures) {
    to.emplace_back();
    std::copy_if(picture.begin(), picture.end(), std::back_inserter(to.back()),
                 [&](const SeenMarker& marker) { return marker.family == family; });
  }
  return to;
}

}  // namespace

BoardSquare square_of_marker(int id, int columns, bool starts_white) {
  // two rows together have a marker for each column
  const int pair = id / columns, in_pair = id % columns;
  const int in_first = starts_white ? (columns + 1) / 2 : columns / 2;
  const bool is_first = in_pair < in_first;
  const int begins = is_first == starts_white ? 0 : 1;
  return {begins + 2 * (is_first ? in_pair : in_pair - in_first), 2 * pair + (is_first ? 0 : 1)};
}

std::optional<BoardLayout> recognise_layout(const std::vector<SeenMarkers>& pictures) {
  std::map<int, size_t> counts;
  for (const SeenMarkers& picture : pictures)
    for (const SeenMarker& marker : picture) counts[marker.family]++;
  if (counts.empty()) return std::nullopt;
  const int family =
      std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  const std::vector<SeenMarkers> of_board = of_family(pictures, family);

  // With an odd number of columns a board that begins with the other colour is the same but for the first or last
  // marker of every second row: one marker more decides, and where none does the two are alike in all that was seen.
  std::optional<BoardLayout> best;
  size_t most = 0;
  bool is_unsure = false;
  for (int columns = MIN_COLUMNS; columns <= MAX_COLUMNS; columns++)
    for (const bool starts_white : {false, true}) {
      const Explained found = explain(of_board, {columns, starts_white});
      if (found.sides.empty() || found.fitting < most) continue;
      if (best && found.fitting == most) {
        is_unsure = is_unsure || best->columns != columns;
        continue;
      }
      is_unsure = false;
      most = found.fitting;
      best = {family, columns, found.rows, starts_white, median(found.sides), found.share()};
    }
  if (!best || best->fitting_share < MIN_SHARE || is_unsure) return std::nullopt;
  return best;
}

SeenMarkers fitting_markers(const SeenMarkers& picture, const BoardLayout& layout) {
  const SeenMarkers of_board = of_family({picture}, layout.family)[0];
  const Candidate candidate{layout.columns, layout.starts_white};
  SeenMarkers to;
  std::vector<cv::Point2d> from, onto;
  for (const SeenMarker& marker : of_board) {
    const BoardSquare square = square_of_marker(marker.id, layout.columns, layout.starts_white);
    if (square.row >= layout.rows) continue;
    for (int i = 0; i < 4; i++) {
      double u, v;
      marker.homography.apply(OWN_CORNERS[i][0], OWN_CORNERS[i][1], u, v);
      from.emplace_back(u, v);
      onto.emplace_back(square.column + 0.5 + OWN_CORNERS[i][0] * layout.marker / 2,
                        square.row + 0.5 + OWN_CORNERS[i][1] * layout.marker / 2);
    }
  }
  if (from.size() < 4) return {};
  const cv::Mat found = cv::findHomography(from, onto, cv::RANSAC, layout.marker / 4);
  if (found.empty()) return {};
  const cv::Matx33d board_from(found);
  std::copy_if(of_board.begin(), of_board.end(), std::back_inserter(to), [&](const SeenMarker& marker) {
    return square_of_marker(marker.id, layout.columns, layout.starts_white).row < layout.rows &&
           lies_there(board_from, marker, candidate, layout.marker);
  });
  return to;
}

}  // namespace vedette
