#include "chess_corners.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

namespace vedette {

namespace {

constexpr double INSIDE_PX = 3;
// Larger windows reach into the markers, which doubles the error; smaller ones have too few pixels of an edge.
constexpr int MAX_HALF_WINDOW = 5, MIN_HALF_WINDOW = 2;
constexpr double FROM_MARKER_PX = 2;
constexpr double PIXEL_CENTRE = 0.5;  // the detector counts from the corner of the first pixel
constexpr int ROUNDS = 50;
constexpr double STILL_PX = 1e-3;

using Places = std::vector<const SeenMarker*>;

/** By square, row by row. */
Places by_square(const SeenMarkers& markers, const BoardLayout& layout) {
  Places to(static_cast<size_t>(layout.columns) * layout.rows, nullptr);
  for (const SeenMarker& marker : markers) {
    const BoardSquare square = square_of_marker(marker.id, layout.columns, layout.starts_white);
    to[static_cast<size_t>(square.row) * layout.columns + square.column] = &marker;
  }
  return to;
}

/** A corner as a marker has it, and how far from it the marker's nearest corner is. */
struct Guess {
  double u, v, from_marker;
};

Guess guess_by(const SeenMarker& marker, double across, double down, double side) {
  Guess to{0, 0, INFINITY};
  marker.homography.apply(across / side, down / side, to.u, to.v);
  for (const double(&corner)[2] : marker.corners)
    to.from_marker = std::min(to.from_marker, std::hypot(corner[0] - to.u, corner[1] - to.v));
  return to;
}

std::optional<ChessCorner> corner_at(const cv::Mat& grey, const Places& markers, const BoardLayout& layout, int column,
                                     int row) {
  Guess sum{0, 0, INFINITY};
  int count = 0;
  // the four squares that touch it, of which two have a marker
  for (const int down : {-1, 0})
    for (const int across : {-1, 0}) {
      const SeenMarker* marker = markers[static_cast<size_t>(row + down) * layout.columns + column + across];
      if (!marker) continue;
      const Guess guess = guess_by(*marker, across == -1 ? 1 : -1, down == -1 ? 1 : -1, layout.marker);
      sum = {sum.u + guess.u, sum.v + guess.v, std::min(sum.from_marker, guess.from_marker)};
      count++;
    }
  if (count != 2) return std::nullopt;
  const double u = sum.u / 2 - PIXEL_CENTRE, v = sum.v / 2 - PIXEL_CENTRE;
  if (!(u >= INSIDE_PX && v >= INSIDE_PX && u <= grey.cols - 1 - INSIDE_PX && v <= grey.rows - 1 - INSIDE_PX))
    return std::nullopt;
  const int half = std::min(MAX_HALF_WINDOW, static_cast<int>(sum.from_marker - FROM_MARKER_PX));
  if (half < MIN_HALF_WINDOW) return std::nullopt;
  std::vector<cv::Point2f> at{{static_cast<float>(u), static_cast<float>(v)}};
  const cv::TermCriteria until(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, ROUNDS, STILL_PX);
  cv::cornerSubPix(grey, at, {half, half}, {-1, -1}, until);
  // where nothing was found it stays, or runs away
  if (!(std::hypot(at[0].x - u, at[0].y - v) < half)) return std::nullopt;
  return ChessCorner{column, row, at[0].x, at[0].y};
}

}  // namespace

std::vector<ChessCorner> chess_corners(const GreyView& picture, const SeenMarkers& markers, const BoardLayout& layout) {
  const cv::Mat grey(picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.pixels), picture.stride);
  const Places places = by_square(markers, layout);
  std::vector<ChessCorner> to;
  for (int row = 1; row < layout.rows; row++)
    for (int column = 1; column < layout.columns; column++)
      if (const auto corner = corner_at(grey, places, layout, column, row)) to.push_back(*corner);
  return to;
}

}  // namespace vedette
