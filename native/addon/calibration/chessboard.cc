#include "chessboard.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr int MIN_INNER = 3;
// A window has nothing in it but the four squares around a corner; larger ones would see the bend of the lens.
constexpr int MAX_HALF_WINDOW = 10, MIN_HALF_WINDOW = 2;
constexpr double SHARE_OF_SQUARE = 0.5;
constexpr double FROM_NEXT_PX = 2;
constexpr int ROUNDS = 50;
constexpr double STILL_PX = 1e-3;
/** Further than that it has found something else, such as the edge of the board. */
constexpr double MAX_MOVED_PX = 2;

cv::Mat mat_of(const GreyView& picture) {
  return {picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.pixels),
          static_cast<size_t>(picture.stride)};
}

/** It is looked for in a picture no larger than that: in larger ones the squares are too large for the search. */
constexpr int MAX_SEARCH_SIDE = 1280;
/** Of what is searched, a pixel for each square: OpenCV throws where nothing would be left of a narrow picture. */
constexpr int MIN_SEARCH_SIDE = MIN_INNER + 1;

/** A picture that is small enough, and how many pixels of the whole one a pixel of it is. Empty: it is too narrow. */
struct Searched {
  cv::Mat picture;
  double scale = 1;

  cv::Point2f in_whole(const cv::Point2f& at) const {
    return {static_cast<float>((at.x + 0.5) * scale - 0.5), static_cast<float>((at.y + 0.5) * scale - 0.5)};
  }
};

Searched searched(const cv::Mat& grey) {
  const double scale = static_cast<double>(std::max(grey.cols, grey.rows)) / MAX_SEARCH_SIDE;
  if (std::min(grey.cols, grey.rows) < MIN_SEARCH_SIDE * std::max(1.0, scale)) return {};
  if (scale <= 1) return {grey, 1};
  Searched to{{}, scale};
  cv::resize(grey, to.picture, {}, 1 / scale, 1 / scale, cv::INTER_AREA);
  return to;
}

int count_of(const InnerCorners& size) { return size.columns * size.rows; }

/** A board that is turned by 90 degrees is the same board. */
InnerCorners lying(const InnerCorners& size) {
  return {std::max(size.columns, size.rows), std::min(size.columns, size.rows)};
}

/** From a corner to the nearest of its neighbours. */
double nearest(const std::vector<cv::Point2f>& corners, const InnerCorners& size, int i) {
  const int column = i % size.columns, row = i / size.columns;
  double least = INFINITY;
  for (const auto& [across, down] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
    const int x = column + across, y = row + down;
    if (x < 0 || y < 0 || x >= size.columns || y >= size.rows) continue;
    least = std::min(least, cv::norm(corners[y * size.columns + x] - corners[i]));
  }
  return least;
}

/** Where the edges of its four squares meet; where it was, if the squares are too small for that. */
cv::Point2f refined(const cv::Mat& grey, const std::vector<cv::Point2f>& corners, const InnerCorners& size, int i,
                    double max_moved) {
  const int half =
      std::min(MAX_HALF_WINDOW, static_cast<int>(SHARE_OF_SQUARE * nearest(corners, size, i) - FROM_NEXT_PX));
  if (half < MIN_HALF_WINDOW) return corners[i];
  std::vector<cv::Point2f> at{corners[i]};
  const cv::TermCriteria until(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, ROUNDS, STILL_PX);
  cv::cornerSubPix(grey, at, {half, half}, {-1, -1}, until);
  return cv::norm(at[0] - corners[i]) <= max_moved ? at[0] : corners[i];
}

}  // namespace

// findChessboardCorners without SB is never called: it takes 48 s for one noisy picture of a board that is cut off.
std::optional<InnerCorners> recognise_chessboard(const GreyView& picture) {
  const cv::Mat small = searched(mat_of(picture)).picture;
  if (small.empty()) return std::nullopt;
  std::vector<cv::Point2f> corners;
  cv::Mat cells;
  const int flags = cv::CALIB_CB_LARGER | cv::CALIB_CB_NORMALIZE_IMAGE;
  if (!cv::findChessboardCornersSB(small, {MIN_INNER, MIN_INNER}, corners, flags, cells)) return std::nullopt;
  if (cells.cols < MIN_INNER || cells.rows < MIN_INNER) return std::nullopt;
  return lying({cells.cols, cells.rows});
}

std::optional<InnerCorners> agreed_size(const std::vector<InnerCorners>& sizes) {
  std::optional<InnerCorners> best;
  bool is_agreed = false;
  for (const InnerCorners& size : sizes) {
    const bool is_twice = std::count(sizes.begin(), sizes.end(), size) > 1;
    if (best && is_agreed && !is_twice) continue;
    if (best && is_agreed == is_twice && count_of(size) <= count_of(*best)) continue;
    best = size;
    is_agreed = is_twice;
  }
  return best;
}

std::vector<ChessCorner> chessboard_corners(const GreyView& picture, const InnerCorners& size) {
  const cv::Mat grey = mat_of(picture);
  const Searched small = searched(grey);
  if (small.picture.empty()) return {};
  const cv::Size pattern(size.columns, size.rows);
  std::vector<cv::Point2f> found;
  const int flags = cv::CALIB_CB_NORMALIZE_IMAGE;
  if (!cv::findChessboardCornersSB(small.picture, pattern, found, flags) &&
      !cv::findChessboardCornersSB(small.picture, pattern, found, flags | cv::CALIB_CB_EXHAUSTIVE))
    return {};
  for (cv::Point2f& each : found) each = small.in_whole(each);
  std::vector<ChessCorner> to;
  for (int i = 0; i < count_of(size); i++) {
    const cv::Point2f at = refined(grey, found, size, i, MAX_MOVED_PX * small.scale);
    to.push_back({i % size.columns + 1, i / size.columns + 1, at.x, at.y});
  }
  return to;
}

}  // namespace vedette
