#include "adjustment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "positive_definite.h"

namespace vedette {

namespace {

constexpr int OF_POSE = 6;
constexpr double FIRST_LAMBDA = 1e-3, MAX_LAMBDA = 1e12, MIN_LAMBDA = 1e-12;
constexpr double ENOUGH = 1e-10;  // the share of the cost by which a step has to lower it
constexpr double MIN_FOCAL_WIDTHS = 0.3, MAX_FOCAL_WIDTHS = 5;
// k4, k5, k6 nearly cancel k1, k2, k3: without any bound they walk for a hundred steps. No lens needs as much.
constexpr double WEAK_PX = 0.25, WEAK_RATIONAL = 20;
constexpr LensUnknown RATIONAL[] = {K4, K5, K6};
constexpr double WEAK = (WEAK_PX / WEAK_RATIONAL) * (WEAK_PX / WEAK_RATIONAL);

/** Of one picture: by lens, by pose, and between them. */
struct ViewEquations {
  double lens[LENS_UNKNOWNS][LENS_UNKNOWNS] = {}, pose[OF_POSE][OF_POSE] = {}, between[LENS_UNKNOWNS][OF_POSE] = {};
  double lens_side[LENS_UNKNOWNS] = {}, pose_side[OF_POSE] = {};
};

struct Cost {
  double weighed = 0, squares = 0;
};

double weight_of(double distance, double huber_px) {
  return huber_px > 0 && distance > huber_px ? huber_px / distance : 1;
}

double cost_of(double square, double huber_px) {
  const double distance = std::sqrt(square);
  return huber_px > 0 && distance > huber_px ? huber_px * (2 * distance - huber_px) : square;
}

/** None where a corner is not in front of the camera. */
std::optional<ViewEquations> equations(const LensAt& at, const BoardViews& board, const BoardView& view,
                                       const Pose& pose, double huber_px) {
  ViewEquations to;
  const Mat3 rotation = rotation_matrix(pose);
  const Vec3 place{pose.x, pose.y, pose.z};
  for (const BoardCorner& corner : view) {
    SeenCorner seen;
    if (!at.see(rotation, place, corner, bend_at(board, corner), seen)) return std::nullopt;
    const double off[2] = {corner.u - seen.u, corner.v - seen.v};
    const double weight = weight_of(std::hypot(off[0], off[1]), huber_px);
    for (int row = 0; row < 2; row++) {
      const double(&lens)[LENS_UNKNOWNS] = seen.by_lens[row];
      const double(&turn)[OF_POSE] = seen.by_pose[row];
      for (int i = 0; i < LENS_UNKNOWNS; i++) {
        const double weighed = weight * lens[i];
        if (weighed == 0) continue;
        for (int j = 0; j <= i; j++) to.lens[i][j] += weighed * lens[j];
        for (int j = 0; j < OF_POSE; j++) to.between[i][j] += weighed * turn[j];
        to.lens_side[i] += weighed * off[row];
      }
      for (int i = 0; i < OF_POSE; i++) {
        const double weighed = weight * turn[i];
        for (int j = 0; j <= i; j++) to.pose[i][j] += weighed * turn[j];
        to.pose_side[i] += weighed * off[row];
      }
    }
  }
  return to;
}

std::optional<Cost> cost_of_view(const LensAt& at, const BoardViews& board, const BoardView& view, const Pose& pose,
                                 double huber_px) {
  Cost cost;
  const Mat3 rotation = rotation_matrix(pose);
  const Vec3 place{pose.x, pose.y, pose.z};
  for (const BoardCorner& corner : view) {
    double u, v;
    if (!at.see_place(rotation, place, corner, bend_at(board, corner), u, v)) return std::nullopt;
    const double square = (corner.u - u) * (corner.u - u) + (corner.v - v) * (corner.v - v);
    cost.squares += square;
    cost.weighed += cost_of(square, huber_px);
  }
  return cost;
}

double weak_cost(const LensUnknowns& lens, const SoughtUnknowns& sought) {
  double cost = 0;
  for (const LensUnknown k : RATIONAL)
    if (sought[k]) cost += WEAK * lens[k] * lens[k];
  return cost;
}

std::optional<Cost> cost_of_all(const BoardViews& board, const CalibrationState& state,
                                const AdjustmentOptions& options) {
  const LensAt at(state.lens);
  Cost cost;
  for (size_t i = 0; i < board.views.size(); i++) {
    const auto of_view = cost_of_view(at, board, board.views[i], state.poses[i], options.huber_px);
    if (!of_view) return std::nullopt;
    cost.weighed += of_view->weighed;
    cost.squares += of_view->squares;
  }
  cost.weighed += weak_cost(state.lens, options.sought);
  if (!std::isfinite(cost.weighed)) return std::nullopt;
  return cost;
}

/** turned: about the camera's axes, in place. */
Pose moved(const Pose& pose, const double (&step)[OF_POSE]) {
  const double angle = std::sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
  const double share = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  const Pose turn{0, 0, 0, std::cos(angle / 2), step[0] * share, step[1] * share, step[2] * share};
  Pose to = normalized(compose(turn, {0, 0, 0, pose.qw, pose.qx, pose.qy, pose.qz}));
  to.x = pose.x + step[3], to.y = pose.y + step[4], to.z = pose.z + step[5];
  return to;
}

void add_damping(double (&a)[OF_POSE][OF_POSE], double lambda) {
  for (int i = 0; i < OF_POSE; i++) a[i][i] *= 1 + lambda;
}

/** The pose taken out of the equations of a picture. False where the picture does not say what its pose is. */
bool take_pose_out(ViewEquations& view, PositiveDefinite<OF_POSE>& pose) {
  if (!pose.factor(view.pose)) return false;
  double side[OF_POSE];
  std::copy_n(view.pose_side, OF_POSE, side);
  pose.solve(side);
  for (int i = 0; i < LENS_UNKNOWNS; i++) {
    double solved[OF_POSE];
    std::copy_n(view.between[i], OF_POSE, solved);
    pose.solve(solved);
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < OF_POSE; k++) view.lens[i][j] -= solved[k] * view.between[j][k];
    for (int k = 0; k < OF_POSE; k++) view.lens_side[i] -= view.between[i][k] * side[k];
  }
  return true;
}

/** None where no such step can be computed. */
std::optional<CalibrationState> step_from(const CalibrationState& state, const std::vector<ViewEquations>& all,
                                          const AdjustmentOptions& options, double lambda) {
  double lens[LENS_UNKNOWNS][LENS_UNKNOWNS] = {}, side[LENS_UNKNOWNS] = {}, diagonal[LENS_UNKNOWNS] = {};
  std::vector<PositiveDefinite<OF_POSE>> factors(all.size());
  for (size_t n = 0; n < all.size(); n++) {
    ViewEquations view = all[n];
    add_damping(view.pose, lambda);
    for (int i = 0; i < LENS_UNKNOWNS; i++) diagonal[i] += view.lens[i][i];
    if (!take_pose_out(view, factors[n])) return std::nullopt;
    for (int i = 0; i < LENS_UNKNOWNS; i++) {
      for (int j = 0; j <= i; j++) lens[i][j] += view.lens[i][j];
      side[i] += view.lens_side[i];
    }
  }
  for (const LensUnknown k : RATIONAL) {
    lens[k][k] += WEAK;
    side[k] -= WEAK * state.lens[k];
  }
  for (int i = 0; i < LENS_UNKNOWNS; i++) {
    lens[i][i] += lambda * diagonal[i];
    if (options.sought[i]) continue;
    for (int j = 0; j < LENS_UNKNOWNS; j++) lens[i][j] = lens[j][i] = 0;
    lens[i][i] = 1;
    side[i] = 0;
  }
  // each unknown in its own unit, or those of pixels hide those of the bend
  double unit[LENS_UNKNOWNS];
  for (int i = 0; i < LENS_UNKNOWNS; i++) unit[i] = lens[i][i] > 0 ? 1 / std::sqrt(lens[i][i]) : 1;
  for (int i = 0; i < LENS_UNKNOWNS; i++) {
    for (int j = 0; j <= i; j++) lens[i][j] *= unit[i] * unit[j];
    side[i] *= unit[i];
  }
  PositiveDefinite<LENS_UNKNOWNS> solved;
  if (!solved.factor(lens)) return std::nullopt;
  solved.solve(side);
  for (int i = 0; i < LENS_UNKNOWNS; i++) side[i] *= unit[i];

  CalibrationState to = state;
  for (int i = 0; i < LENS_UNKNOWNS; i++)
    if (options.sought[i]) to.lens[i] += side[i];
  for (size_t n = 0; n < all.size(); n++) {
    double step[OF_POSE];
    std::copy_n(all[n].pose_side, OF_POSE, step);
    for (int i = 0; i < LENS_UNKNOWNS; i++)
      if (options.sought[i])
        for (int k = 0; k < OF_POSE; k++) step[k] -= all[n].between[i][k] * side[i];
    factors[n].solve(step);
    to.poses[n] = moved(state.poses[n], step);
  }
  return to;
}

size_t count_corners(const BoardViews& board) {
  size_t count = 0;
  for (const BoardView& view : board.views) count += view.size();
  return count;
}

/** Takes places of the board, in units of its half width, to pixels from the middle, in units of the width. */
std::optional<cv::Matx33d> homography_of(const BoardViews& board, const BoardView& view) {
  std::vector<cv::Point2d> from, to;
  for (const BoardCorner& corner : view) {
    from.emplace_back(corner.x / board.half_width, corner.y / board.half_width);
    to.emplace_back((corner.u - (board.width - 1) / 2.0) / board.width,
                    (corner.v - (board.height - 1) / 2.0) / board.width);
  }
  const cv::Mat found = from.size() < 4 ? cv::Mat() : cv::findHomography(from, to, 0);
  if (found.empty()) return std::nullopt;
  const cv::Matx33d matrix(found);
  return matrix * (1 / cv::norm(matrix));
}

/** Widths of the picture. */
double focal_of(const std::vector<cv::Matx33d>& homographies) {
  // With the centre in the middle, w = diag(1/f^2, 1/f^2, 1) makes h1'w h2 = 0 and h1'w h1 = h2'w h2: a line in 1/f^2.
  double along = 0, across = 0;
  for (const cv::Matx33d& h : homographies) {
    const double slopes[2] = {h(0, 0) * h(0, 1) + h(1, 0) * h(1, 1),
                              h(0, 0) * h(0, 0) + h(1, 0) * h(1, 0) - h(0, 1) * h(0, 1) - h(1, 1) * h(1, 1)};
    const double rest[2] = {h(2, 0) * h(2, 1), h(2, 0) * h(2, 0) - h(2, 1) * h(2, 1)};
    for (int i = 0; i < 2; i++) along += slopes[i] * slopes[i], across -= slopes[i] * rest[i];
  }
  const double focal = along > 0 && across > 0 ? std::sqrt(along / across) : 1;
  return focal >= MIN_FOCAL_WIDTHS && focal <= MAX_FOCAL_WIDTHS ? focal : 1;
}

/** For a lens without distortion, its centre in the middle. focal: pixels. */
Pose pose_from(const cv::Matx33d& homography, const BoardViews& board, double focal) {
  const double share = board.width / focal;
  cv::Matx33d m = homography;
  for (int i = 0; i < 3; i++) m(0, i) *= share, m(1, i) *= share;
  const double sign = m(2, 2) < 0 ? -1 : 1;
  const cv::Vec3d a(m(0, 0), m(1, 0), m(2, 0)), b(m(0, 1), m(1, 1), m(2, 1)), t(m(0, 2), m(1, 2), m(2, 2));
  const double scale = sign * 2 / (cv::norm(a) + cv::norm(b));
  // the two directions, made upright to each other without preferring one
  const cv::Vec3d first = a * sign / cv::norm(a), second = b * sign / cv::norm(b);
  const cv::Vec3d sum = first + second, difference = first - second;
  const cv::Vec3d one = cv::normalize(sum), other = cv::normalize(difference - one * difference.dot(one));
  const cv::Vec3d x = (one + other) * M_SQRT1_2, y = (one - other) * M_SQRT1_2, z = x.cross(y);
  const cv::Vec3d place = t * scale * board.half_width;
  return pose_from_matrix({x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}, {place[0], place[1], place[2]});
}

/** The same board as it would be with one picture. */
BoardViews with_view(const BoardViews& board, const BoardView& view) {
  return {board.width, board.height, board.half_width, board.half_height, {view}};
}

}  // namespace

Adjusted adjust(const BoardViews& board, const CalibrationState& start, const AdjustmentOptions& options) {
  Adjusted to{start};
  const double count = std::max<size_t>(1, count_corners(board));
  std::optional<Cost> cost = cost_of_all(board, start, options);
  double lambda = FIRST_LAMBDA;
  const auto finish = [&]() {
    to.cost = cost ? cost->weighed : std::numeric_limits<double>::infinity();
    to.rms = cost ? std::sqrt(cost->squares / count) : std::numeric_limits<double>::infinity();
    return to;
  };
  while (cost && to.steps < options.max_steps) {
    const LensAt at(to.state.lens);
    std::vector<ViewEquations> all;
    for (size_t i = 0; i < board.views.size(); i++) {
      const auto of_view = equations(at, board, board.views[i], to.state.poses[i], options.huber_px);
      if (!of_view) return finish();
      all.push_back(*of_view);
    }
    double gain = 0;
    for (bool is_better = false; !is_better;) {
      const auto next = step_from(to.state, all, options, lambda);
      const std::optional<Cost> next_cost = next ? cost_of_all(board, *next, options) : std::nullopt;
      is_better = next_cost && next_cost->weighed <= cost->weighed;
      if (is_better) {
        gain = cost->weighed - next_cost->weighed;
        to.state = *next;
        cost = next_cost;
        lambda = std::max(MIN_LAMBDA, lambda / 10);
      } else if ((lambda *= 10) > MAX_LAMBDA) {
        return finish();
      }
    }
    to.steps++;
    if (options.go_on && !options.go_on(to.steps, std::sqrt(cost->squares / count))) {
      to.is_cancelled = true;
      return finish();
    }
    if (gain <= ENOUGH * cost->weighed) break;
  }
  return finish();
}

CalibrationState first_guess(const BoardViews& board) {
  CalibrationState to;
  std::vector<cv::Matx33d> homographies, found;
  for (const BoardView& view : board.views) {
    const auto homography = homography_of(board, view);
    homographies.push_back(homography.value_or(cv::Matx33d::eye()));
    if (homography) found.push_back(*homography);
  }
  const double focal = focal_of(found) * board.width;
  to.lens[FX] = to.lens[FY] = focal;
  to.lens[CX] = (board.width - 1) / 2.0;
  to.lens[CY] = (board.height - 1) / 2.0;
  for (const cv::Matx33d& homography : homographies) to.poses.push_back(pose_from(homography, board, focal));
  return to;
}

Pose pose_of_view(const BoardViews& board, const BoardView& view, const LensUnknowns& lens) {
  const BoardViews alone = with_view(board, view);
  const auto homography = homography_of(board, view);
  CalibrationState start{lens, {pose_from(homography.value_or(cv::Matx33d::eye()), board, lens[FX])}};
  return adjust(alone, start, {}).state.poses[0];
}

std::vector<std::array<double, 2>> residuals_of(const BoardViews& board, const BoardView& view,
                                                const LensUnknowns& lens, const Pose& pose) {
  const LensAt at(lens);
  const Mat3 rotation = rotation_matrix(pose);
  std::vector<std::array<double, 2>> to;
  for (const BoardCorner& corner : view) {
    double u = std::numeric_limits<double>::infinity(), v = u;
    at.see_place(rotation, {pose.x, pose.y, pose.z}, corner, bend_at(board, corner), u, v);
    to.push_back({corner.u - u, corner.v - v});
  }
  return to;
}

void equations_of_view(const BoardViews& board, const BoardView& view, const LensUnknowns& lens, const Pose& pose,
                       const SoughtUnknowns& sought, double huber_px, LensEquations& to) {
  for (auto& row : to) std::fill(std::begin(row), std::end(row), 0);
  auto of_view = equations(LensAt(lens), board, view, pose, huber_px);
  PositiveDefinite<OF_POSE> factor;
  if (!of_view || !take_pose_out(*of_view, factor)) return;
  for (int i = 0; i < LENS_UNKNOWNS; i++)
    for (int j = 0; j <= i; j++)
      if (sought[i] && sought[j]) to[i][j] = to[j][i] = of_view->lens[i][j];
}

void add_weak_bounds(const SoughtUnknowns& sought, LensEquations& to) {
  for (const LensUnknown k : RATIONAL)
    if (sought[k]) to[k][k] += WEAK;
}

}  // namespace vedette
