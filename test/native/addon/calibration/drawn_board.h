// Pictures of a charuco board by a camera without distortion, with the truth of every corner.
#pragma once

#include <apriltag/apriltag.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

#include "board_layout.h"
#include "grey_view.h"
#include "pose_math.h"
#include "tag_family.h"

namespace vedette::test {

/** Squares. marker: side, in squares. */
struct DrawnBoard {
  const char* family = "aruco_4x4";
  int columns = 11, rows = 7;
  bool starts_white = false;
  double marker = 0.75;
};

/** What is black (0) and white (1) of a board. */
class BoardPattern {
 public:
  explicit BoardPattern(const DrawnBoard& board) : board_(board), family_(make_family(board.family)) {
    modules_ = family_->width_at_border;
    const int count = (board.columns * board.rows + 1) / 2;
    ids_.assign(static_cast<size_t>(board.columns) * board.rows, -1);
    for (int id = 0; id < count; id++) {
      const BoardSquare square = square_of_marker(id, board.columns, board.starts_white);
      if (square.row < board.rows) ids_[static_cast<size_t>(square.row) * board.columns + square.column] = id;
    }
    white_.assign(static_cast<size_t>(count) * modules_ * modules_, 0);
    for (int id = 0; id < count; id++)
      for (uint32_t bit = 0; bit < family_->nbits; bit++)
        white_[(static_cast<size_t>(id) * modules_ + family_->bit_y[bit]) * modules_ + family_->bit_x[bit]] =
            family_->codes[id] >> (family_->nbits - 1 - bit) & 1;
  }

  /** x, y: squares from the board's upper left. */
  double at(double x, double y) const {
    if (x < -1 || y < -1 || x > board_.columns + 1 || y > board_.rows + 1) return 0.5;
    if (x < 0 || y < 0 || x >= board_.columns || y >= board_.rows) return 0.9;
    const int column = static_cast<int>(x), row = static_cast<int>(y);
    if ((column + row) % 2 == (board_.starts_white ? 1 : 0)) return 0.08;
    const int id = ids_[static_cast<size_t>(row) * board_.columns + column];
    const double margin = (1 - board_.marker) / 2;
    const int right = static_cast<int>(std::floor((x - column - margin) / board_.marker * modules_));
    const int down = static_cast<int>(std::floor((y - row - margin) / board_.marker * modules_));
    if (id < 0 || right < 0 || down < 0 || right >= modules_ || down >= modules_) return 0.9;
    return white_[(static_cast<size_t>(id) * modules_ + down) * modules_ + right] ? 0.9 : 0.08;
  }

  const DrawnBoard& board() const { return board_; }

 private:
  DrawnBoard board_;
  FamilyOwner family_;
  int modules_;
  std::vector<int> ids_;
  std::vector<uint8_t> white_;  // by id, row and column
};

/** Where a camera sees a board. Angles in degrees; size: pixels of a square in the middle. */
struct BoardPlace {
  double tilt = 25, direction = 30, turn = 5, square_px = 60, u = 640, v = 400;
};

/** Takes squares of the board to pixels from the corner of the first one. */
inline cv::Matx33d picture_from_board(const DrawnBoard& board, const BoardPlace& place, double focal = 905) {
  const double deg = M_PI / 180, depth = focal / place.square_px;  // in squares
  const Pose turned = pose_from_euler(0, 0, 0, 0, 0, place.turn * deg);
  const double half = place.tilt * deg / 2, direction = place.direction * deg;
  const Pose tilted{
      0, 0, 0, std::cos(half), -std::sin(half) * std::sin(direction), std::sin(half) * std::cos(direction), 0};
  const Mat3 r = rotation_matrix(compose(tilted, turned));
  const Vec3 t{(place.u - 640) / focal * depth, (place.v - 400) / focal * depth, depth};
  const cv::Matx33d camera(focal, 0, 640, 0, focal, 400, 0, 0, 1);
  const cv::Matx33d from_middle(r[0], r[1], t[0], r[3], r[4], t[1], r[6], r[7], t[2]);
  const cv::Matx33d to_middle(1, 0, -board.columns / 2.0, 0, 1, -board.rows / 2.0, 0, 0, 1);
  return camera * from_middle * to_middle;
}

inline cv::Point2d apply(const cv::Matx33d& m, double x, double y) {
  const cv::Vec3d to = m * cv::Vec3d(x, y, 1);
  return {to[0] / to[2], to[1] / to[2]};
}

/** A chessboard of that many squares, the upper left one black. */
struct ChessPattern {
  int columns = 10, rows = 7;

  double at(double x, double y) const {
    if (x < -1 || y < -1 || x > columns + 1 || y > rows + 1) return 0.5;
    if (x < 0 || y < 0 || x >= columns || y >= rows) return 0.9;
    return (static_cast<int>(x) + static_cast<int>(y)) % 2 == 0 ? 0.08 : 0.9;
  }
};

/** Tags of 36h11 in rows, numbered from the lower left. side: of a tag, from one to the next being 1. */
class GridPattern {
 public:
  GridPattern(int columns, int rows, double side)
      : columns_(columns), rows_(rows), side_(side), family_(make_family("tag36h11")) {}

  double at(double x, double y) const {
    if (x < -1 || y < -1 || x > columns_ + 1 || y > rows_ + 1) return 0.5;
    if (x < 0 || y < 0 || x >= columns_ || y >= rows_) return 0.9;
    const int column = static_cast<int>(x), row = static_cast<int>(y), modules = family_->width_at_border;
    const int id = (rows_ - 1 - row) * columns_ + column;
    const double margin = (1 - side_) / 2;
    const int right = static_cast<int>(std::floor((x - column - margin) / side_ * modules));
    const int down = static_cast<int>(std::floor((y - row - margin) / side_ * modules));
    if (right < 0 || down < 0 || right >= modules || down >= modules) return 0.9;
    for (uint32_t bit = 0; bit < family_->nbits; bit++)
      if (static_cast<int>(family_->bit_x[bit]) == right && static_cast<int>(family_->bit_y[bit]) == down)
        return family_->codes[id] >> (family_->nbits - 1 - bit) & 1 ? 0.9 : 0.08;
    return 0.08;
  }

 private:
  int columns_, rows_;
  double side_;
  FamilyOwner family_;
};

/** 1280x800, blurred, with noise that the seed decides. */
template <typename Pattern>
cv::Mat draw_board(const Pattern& pattern, const cv::Matx33d& picture_from, double blur, double noise, unsigned seed) {
  constexpr int FINE = 4;
  const cv::Matx33d board_from = picture_from.inv();
  cv::Mat light(800, 1280, CV_32F), out;
  for (int row = 0; row < light.rows; row++)
    for (int column = 0; column < light.cols; column++) {
      double sum = 0;
      for (int i = 0; i < FINE * FINE; i++) {
        const cv::Point2d at = apply(board_from, column + (i % FINE + 0.5) / FINE, row + (i / FINE + 0.5) / FINE);
        sum += pattern.at(at.x, at.y);
      }
      light.at<float>(row, column) = static_cast<float>(sum / (FINE * FINE) * 230);
    }
  if (blur > 0) cv::GaussianBlur(light, light, {0, 0}, blur);
  std::mt19937 random(seed);
  std::normal_distribution<float> of_pixel(0, static_cast<float>(noise));
  for (auto at = light.begin<float>(); at != light.end<float>(); ++at) *at += of_pixel(random);
  light.convertTo(out, CV_8U);
  return out;
}

inline GreyView view_of(const cv::Mat& picture) {
  return {picture.data, picture.cols, picture.rows, static_cast<int>(picture.step)};
}

}  // namespace vedette::test
