#include "next_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "procedure.h"

namespace vedette {

namespace {

constexpr double DEG = M_PI / 180;

// Beforehand: standard deviations that no camera of a robot goes beyond. Ten pictures say a thousand times more.
constexpr double FOCAL_WIDTHS = 0.8, FOCAL_DEVIATION = 0.3, CENTRE_DEVIATION = 0.1;  // widths
constexpr double RADIAL_DEVIATION = 0.5, TANGENTIAL_DEVIATION = 0.02;
constexpr double BEND_DEVIATION = 0.02;                // of the board's half width
constexpr double SIGMA_PX = 0.25, SIGMA_CORNERS = 40;  // corners, and as many of them as it counts
constexpr double HUBER_PX = 0.6;
constexpr double MIN_FOCAL_WIDTHS = 0.3, MAX_FOCAL_WIDTHS = 5, MAX_CENTRE_OFF = 0.25;
constexpr size_t MIN_VIEWS_TO_SOLVE = 3, MIN_VIEWS_FOR_BEND = 8, MIN_VIEWS_FOR_FIVE = 10;

constexpr double KNOWN_SHARE = 0.001, KNOWN_CONDITION = 2000;  // of the width; good, by the verdict

constexpr double LARGE = 0.75, SMALL = 0.45;  // of the picture's width or height, whichever it fills first
constexpr double MARGIN = 0.015;              // between the board and the picture's edge
constexpr double TILT = 34 * DEG;
constexpr double INSIDE_PX = 3;  // as corners are looked for
constexpr int ROUNDS = 24;

SoughtUnknowns sought(bool five, bool bend) {
  SoughtUnknowns to{};
  for (int i = 0; i <= P2; i++) to[i] = true;
  to[K3] = five;
  to[BEND_X] = to[BEND_Y] = bend;
  return to;
}

/** What is solved in the end. */
SoughtUnknowns sought_in_the_end() { return sought(true, true); }

LensUnknowns usual_lens(const BoardViews& board) {
  LensUnknowns to{};
  to[FX] = to[FY] = FOCAL_WIDTHS * board.width;
  to[CX] = (board.width - 1) / 2.0, to[CY] = (board.height - 1) / 2.0;
  return to;
}

void add_known_beforehand(const BoardViews& board, double sigma_px, LensEquations& to) {
  LensUnknowns deviation{};
  deviation[FX] = deviation[FY] = FOCAL_DEVIATION * board.width;
  deviation[CX] = deviation[CY] = CENTRE_DEVIATION * board.width;
  for (const LensUnknown k : {K1, K2, K3}) deviation[k] = RADIAL_DEVIATION;
  for (const LensUnknown p : {P1, P2}) deviation[p] = TANGENTIAL_DEVIATION;
  for (const LensUnknown bend : {BEND_X, BEND_Y}) deviation[bend] = BEND_DEVIATION * board.half_width;
  for (int i = 0; i < LENS_UNKNOWNS; i++)
    if (deviation[i] > 0) to[i][i] += sigma_px * sigma_px / (deviation[i] * deviation[i]);
}

bool is_sensible(const BoardViews& board, const Adjusted& adjusted) {
  const LensUnknowns& lens = adjusted.state.lens;
  const double width = board.width, height = board.height;
  return std::isfinite(adjusted.cost) && lens[FX] >= MIN_FOCAL_WIDTHS * width && lens[FX] <= MAX_FOCAL_WIDTHS * width &&
         lens[FY] > 0 && std::fabs(lens[CX] - (width - 1) / 2) <= MAX_CENTRE_OFF * width &&
         std::fabs(lens[CY] - (height - 1) / 2) <= MAX_CENTRE_OFF * height;
}

/** With few pictures fewer unknowns, so that none of them runs away. */
CalibrationState state_by(const BoardViews& board, KnownLens& known) {
  CalibrationState state = first_guess(board);
  const size_t count = board.views.size();
  if (count < MIN_VIEWS_TO_SOLVE) return state;
  AdjustmentOptions options;
  options.sought = sought(count >= MIN_VIEWS_FOR_FIVE, count >= MIN_VIEWS_FOR_BEND);
  options.huber_px = HUBER_PX;
  const Adjusted adjusted = adjust(board, state, options);
  if (!is_sensible(board, adjusted)) return state;
  double corners = 0;
  for (const BoardView& view : board.views) corners += static_cast<double>(view.size());
  const double free = std::max(0.0, 2 * corners - 6.0 * static_cast<double>(count) - 10);
  known.sigma_px = std::sqrt((adjusted.cost + SIGMA_PX * SIGMA_PX * 2 * SIGMA_CORNERS) / (free + 2 * SIGMA_CORNERS));
  return adjusted.state;
}

void add(const LensEquations& more, LensEquations& to) {
  for (int i = 0; i < LENS_UNKNOWNS; i++)
    for (int j = 0; j < LENS_UNKNOWNS; j++) to[i][j] += more[i][j];
}

/** Where the error is small enough, unknowns may still be taken for each other: then the condition counts. */
bool counts_condition(const BoardViews& board, const KnownLens& known) {
  return known.mean_px < KNOWN_SHARE * board.width && known.condition > KNOWN_CONDITION;
}

/** By which share it gets lower. */
double gain(const BoardViews& board, const KnownLens& known, double mean_px, double condition) {
  const double share = counts_condition(board, known) ? condition / known.condition : mean_px / known.mean_px;
  return std::isfinite(share) ? 1 - share : 0;
}

double mean_with(const BoardViews& board, const KnownLens& known, const ErrorForecast& forecast, const BoardView& view,
                 const Pose& pose, double& condition) {
  LensEquations all, of_view;
  std::copy(&known.equations[0][0], &known.equations[0][0] + LENS_UNKNOWNS * LENS_UNKNOWNS, &all[0][0]);
  equations_of_view(board, view, known.lens, pose, sought_in_the_end(), HUBER_PX, of_view);
  add(of_view, all);
  return forecast.mean_px(all, known.sigma_px, condition);
}

ErrorForecast forecast_of(const BoardViews& board, const KnownLens& known) {
  return ErrorForecast(known.lens, board.width, board.height, sought_in_the_end());
}

/** A place of the board: -1, 0, 1 from the left and the top. */
struct Wanted {
  int across, down;
  double size;
  NearerSide nearer;
};

constexpr NearerSide SIDES[] = {NearerSide::NONE, NearerSide::LEFT, NearerSide::TOP, NearerSide::RIGHT,
                                NearerSide::BOTTOM};
constexpr Wanted FIRST[] = {
    {-1, -1, LARGE, NearerSide::LEFT}, {1, 1, LARGE, NearerSide::TOP}, {1, -1, LARGE, NearerSide::RIGHT}};

/** A board turned so that one side is nearer: what is nearer has a smaller z. */
Pose turned_to(NearerSide nearer) {
  const double half = TILT / 2, cosine = std::cos(half), sine = std::sin(half);
  switch (nearer) {
    case NearerSide::LEFT:
      return {0, 0, 0, cosine, 0, -sine, 0};
    case NearerSide::RIGHT:
      return {0, 0, 0, cosine, 0, sine, 0};
    case NearerSide::TOP:
      return {0, 0, 0, cosine, sine, 0, 0};
    case NearerSide::BOTTOM:
      return {0, 0, 0, cosine, -sine, 0, 0};
    default:
      return {0, 0, 0, 1, 0, 0, 0};
  }
}

bool project_outline(const LensAt& at, const BoardViews& board, const Pose& pose,
                     std::array<std::array<double, 2>, 4>& to) {
  const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Mat3 rotation = rotation_matrix(pose);
  for (int i = 0; i < 4; i++) {
    const BoardCorner corner{0, 0, corners[i][0] * board.half_width, corners[i][1] * board.half_height};
    if (!at.see_place(rotation, {pose.x, pose.y, pose.z}, corner, {0, 0}, to[i][0], to[i][1])) return false;
  }
  return true;
}

/** From the least to the most of what the outline takes across or down. */
std::array<double, 2> extent(const std::array<std::array<double, 2>, 4>& outline, int axis) {
  const auto [least, most] = std::minmax_element(outline.begin(), outline.end(),
                                                 [&](const auto& a, const auto& b) { return a[axis] < b[axis]; });
  return {(*least)[axis], (*most)[axis]};
}

/** Where the board has to be for it to be seen there; none: the lens, as far as it is known, shows it nowhere so. */
std::optional<ProposedView> placed(const LensAt& at, const LensUnknowns& lens, const BoardViews& board,
                                   const Wanted& wanted) {
  ProposedView to;
  to.nearer = wanted.nearer;
  to.pose = turned_to(wanted.nearer);
  to.pose.z = lens[FX] * 2 * board.half_width / (wanted.size * board.width);
  const double sides[2] = {static_cast<double>(board.width), static_cast<double>(board.height)};
  const int places[2] = {wanted.across, wanted.down};
  for (int round = 0; round < ROUNDS; round++) {
    if (!project_outline(at, board, to.pose, to.outline)) return std::nullopt;
    double taken = 0, move[2];
    for (int axis = 0; axis < 2; axis++) {
      const auto [least, most] = extent(to.outline, axis);
      taken = std::max(taken, (most - least) / sides[axis]);
      const double edge = MARGIN * sides[axis];
      move[axis] = places[axis] < 0   ? edge - least
                   : places[axis] > 0 ? sides[axis] - 1 - edge - most
                                      : (sides[axis] - 1 - least - most) / 2;
    }
    if (!(taken > 0)) return std::nullopt;
    to.pose.x += move[0] / lens[FX] * to.pose.z;
    to.pose.y += move[1] / lens[FY] * to.pose.z;
    const double farther = taken / wanted.size;
    if (!(farther > 0.05 && farther < 20)) return std::nullopt;
    to.pose.x *= farther, to.pose.y *= farther, to.pose.z *= farther;
  }
  if (!project_outline(at, board, to.pose, to.outline)) return std::nullopt;
  for (int axis = 0; axis < 2; axis++) {
    const auto [least, most] = extent(to.outline, axis);
    if (!(least >= 0 && most <= sides[axis] - 1)) return std::nullopt;
  }
  return to;
}

/** The corners of squares that would be seen. */
BoardView seen_from(const LensAt& at, const BoardViews& board, const BoardGrid& grid, const Pose& pose) {
  BoardView to;
  const Mat3 rotation = rotation_matrix(pose);
  for (int row = 1; row < grid.rows; row++)
    for (int column = 1; column < grid.columns; column++) {
      BoardCorner corner{0, 0, column * grid.width - board.half_width, row * grid.height - board.half_height};
      const BendShape bend = bend_at(board, corner);
      if (!at.see_place(rotation, {pose.x, pose.y, pose.z}, corner, bend, corner.u, corner.v)) continue;
      const bool is_inside = corner.u >= INSIDE_PX && corner.v >= INSIDE_PX &&
                             corner.u <= board.width - 1 - INSIDE_PX && corner.v <= board.height - 1 - INSIDE_PX;
      if (is_inside) to.push_back(corner);
    }
  return to;
}

}  // namespace

KnownLens known_lens(const BoardViews& board) {
  KnownLens known;
  known.sigma_px = SIGMA_PX;
  CalibrationState state{usual_lens(board), {}};
  if (!board.views.empty()) state = state_by(board, known);
  known.lens = state.lens;
  const SoughtUnknowns all = sought_in_the_end();
  for (size_t i = 0; i < board.views.size(); i++) {
    LensEquations of_view;
    equations_of_view(board, board.views[i], known.lens, state.poses[i], all, HUBER_PX, of_view);
    add(of_view, known.equations);
  }
  add_known_beforehand(board, known.sigma_px, known.equations);
  const ErrorForecast forecast = forecast_of(board, known);
  known.mean_px = forecast.mean_px(known.equations, known.sigma_px);
  known.focal_share = forecast.deviations(known.equations, known.sigma_px, known.condition)[FX] / known.lens[FX];
  return known;
}

ProposedView next_view(const BoardViews& board, const BoardGrid& grid, const KnownLens& known) {
  LensUnknowns lens = known.lens;
  lens[BEND_X] = lens[BEND_Y] = 0;
  // the distortion of two pictures is a guess, and bends outlines as it likes
  if (board.views.size() < MIN_VIEWS_TO_SOLVE)
    for (int k = K1; k <= K6; k++) lens[k] = 0;
  const LensAt at(lens);
  const ErrorForecast forecast = forecast_of(board, known);
  std::optional<ProposedView> best;
  const auto consider = [&](const Wanted& wanted) {
    auto view = placed(at, lens, board, wanted);
    if (!view) return;
    const BoardView seen = seen_from(at, board, grid, view->pose);
    if (seen.size() < MIN_CORNERS_OF_VIEW) return;
    double condition;
    view->mean_px = mean_with(board, known, forecast, seen, view->pose, condition);
    view->lowers = gain(board, known, view->mean_px, condition);
    if (!best || view->lowers > best->lowers) best = view;
  };
  if (board.views.size() < MIN_VIEWS_TO_SOLVE) consider(FIRST[board.views.size()]);
  if (!best)
    for (const int across : {-1, 0, 1})
      for (const int down : {-1, 0, 1})
        for (const double size : {LARGE, SMALL})
          for (const NearerSide nearer : SIDES) consider({across, down, size, nearer});
  return best.value_or(ProposedView{});
}

double lowers_by(const BoardViews& board, const KnownLens& known, const BoardView& view) {
  if (view.size() < MIN_CORNERS_OF_VIEW || !(known.mean_px > 0)) return 0;
  const Pose pose = pose_of_view(board, view, known.lens);
  double condition;
  const double mean = mean_with(board, known, forecast_of(board, known), view, pose, condition);
  return std::max(0.0, gain(board, known, mean, condition));
}

bool outline_of(const BoardViews& board, const KnownLens& known, const BoardView& view,
                std::array<std::array<double, 2>, 4>& outline) {
  if (view.size() < 4) return false;
  if (board.views.size() >= MIN_VIEWS_TO_SOLVE) {
    LensUnknowns flat = known.lens;
    flat[BEND_X] = flat[BEND_Y] = 0;
    return project_outline(LensAt(flat), board, pose_of_view(board, view, known.lens), outline);
  }
  std::vector<cv::Point2d> from, to;
  for (const BoardCorner& corner : view) {
    from.emplace_back(corner.x, corner.y);
    to.emplace_back(corner.u, corner.v);
  }
  const cv::Mat found = cv::findHomography(from, to, 0);
  if (found.empty()) return false;
  const cv::Matx33d picture_from(found);
  const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; i++) {
    const cv::Vec3d at =
        picture_from * cv::Vec3d(corners[i][0] * board.half_width, corners[i][1] * board.half_height, 1);
    if (!(std::fabs(at[2]) > std::numeric_limits<double>::epsilon())) return false;
    outline[i] = {at[0] / at[2], at[1] / at[2]};
  }
  return true;
}

}  // namespace vedette
