#include "procedure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vedette {

namespace {

constexpr int FOLDS = 5;
constexpr int MIN_VIEWS_FOR_FIVE = 10, MIN_VIEWS_FOR_BEND = 8, MIN_VIEWS_FOR_HALVES = 16;
constexpr double HUBER_PX = 0.6, HUBER_OF_RMS = 2.5;
constexpr double OUTLYING = 2;  // times the median of the pictures
constexpr double MAX_LEFT_OUT = 1.0 / 3;
constexpr double WORTH_MORE = 0.97;  // of the held-out rms, for three coefficients more

class Ended {};

SoughtUnknowns sought_of(int coefficients, bool bend) {
  SoughtUnknowns to{};
  const int last = coefficients == 4 ? P2 : coefficients == 5 ? K3 : K6;
  for (int i = 0; i <= last; i++) to[i] = true;
  to[BEND_X] = to[BEND_Y] = bend;
  return to;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/** Some of its pictures. */
template <typename Wanted>
BoardViews part_of(const BoardViews& board, const CalibrationState& state, Wanted wanted, CalibrationState& start) {
  BoardViews to{board.width, board.height, board.half_width, board.half_height, {}};
  start = {state.lens, {}};
  for (size_t i = 0; i < board.views.size(); i++) {
    if (!wanted(i)) continue;
    to.views.push_back(board.views[i]);
    start.poses.push_back(state.poses[i]);
  }
  return to;
}

/** One calibration on its way. */
class Procedure {
 public:
  Procedure(const CalibrationTask& task, const CalibrationProgress& progress)
      : board_(task.board), given_(task.given), is_used_(board_.views.size(), true), progress_(progress) {
    const size_t count = board_.views.size();
    to_.coefficients = task.coefficients ? task.coefficients : count < MIN_VIEWS_FOR_FIVE ? 4 : 5;
    to_.has_bend = task.may_bend && count >= MIN_VIEWS_FOR_BEND;
    may_choose_ = task.coefficients == 0 && count >= MIN_VIEWS_FOR_FIVE;
  }

  Calibration run() {
    say("solve", 0);
    state_ = first_guess(board_);
    solve(to_.coefficients, 0);
    // The pictures that are read wrongly spoil each other's fit: by a loss that forgives them they stand out.
    solve(to_.coefficients, HUBER_PX);
    say("leave-out", 0.3);
    leave_out();
    say("bend", 0.4);
    solve_robustly(to_.coefficients);
    say("hold-out", 0.5);
    choose_model();
    say("predict", 0.9);
    conclude();
    return std::move(to_);
  }

 private:
  void say(const char* step, double share) {
    step_ = step, share_ = share;
    if (progress_ && !progress_(step, share)) throw Ended();
  }

  AdjustmentOptions options_for(int coefficients, double huber_px) {
    AdjustmentOptions options;
    options.sought = sought_of(coefficients, to_.has_bend);
    options.huber_px = huber_px;
    options.go_on = [this](int, double) { return !progress_ || progress_(step_, share_); };
    return options;
  }

  /** Of the pictures that are used; the poses of the others stay as they are. */
  Adjusted solve(int coefficients, double huber_px) {
    CalibrationState start;
    const BoardViews used = part_of(
        board_, state_, [&](size_t i) { return is_used_[i]; }, start);
    Adjusted adjusted = adjust(used, start, options_for(coefficients, huber_px));
    if (adjusted.is_cancelled) throw Ended();
    state_.lens = adjusted.state.lens;
    for (size_t i = 0, at = 0; i < is_used_.size(); i++)
      if (is_used_[i]) state_.poses[i] = adjusted.state.poses[at++];
    return adjusted;
  }

  void solve_robustly(int coefficients) {
    const double typical = median(rms_of_views());
    huber_px_ = std::max(HUBER_PX, HUBER_OF_RMS * typical);
    to_.adjusted = solve(coefficients, huber_px_);
  }

  double rms_of(size_t view, double* worst = nullptr) const {
    double sum = 0;
    const auto all = residuals_of(board_, board_.views[view], state_.lens, state_.poses[view]);
    for (const auto& [u, v] : all) {
      const double square = u * u + v * v;
      sum += square;
      if (worst) *worst = std::max(*worst, std::sqrt(square));
    }
    return std::sqrt(sum / all.size());
  }

  std::vector<double> rms_of_views() const {
    std::vector<double> to;
    for (size_t i = 0; i < board_.views.size(); i++)
      if (is_used_[i]) to.push_back(rms_of(i));
    return to;
  }

  /** The worst first, as long as enough are left. */
  void leave_out() {
    const double limit = OUTLYING * median(rms_of_views());
    std::vector<std::pair<double, size_t>> worst;
    for (size_t i = 0; i < board_.views.size(); i++)
      if (const double rms = rms_of(i); !(rms <= limit)) worst.push_back({rms, i});
    std::sort(worst.rbegin(), worst.rend());
    const size_t count = board_.views.size();
    const size_t most = std::min(count - std::min<size_t>(count, MIN_VIEWS), static_cast<size_t>(count * MAX_LEFT_OUT));
    for (size_t i = 0; i < std::min(most, worst.size()); i++) is_used_[worst[i].second] = false;
    if (worst.empty()) return;
    // what was led astray by them may have ended anywhere
    state_ = first_guess(board_);
    solve(to_.coefficients, 0);
  }

  /** rms of each fold's pictures under the lens of the others. */
  double held_out(int coefficients) {
    std::vector<size_t> used;
    for (size_t i = 0; i < is_used_.size(); i++)
      if (is_used_[i]) used.push_back(i);
    double sum = 0, count = 0;
    for (int fold = 0; fold < FOLDS; fold++) {
      std::vector<bool> is_out(is_used_.size());
      for (size_t at = fold; at < used.size(); at += FOLDS) is_out[used[at]] = true;
      CalibrationState start;
      const BoardViews others = part_of(
          board_, state_, [&](size_t i) { return is_used_[i] && !is_out[i]; }, start);
      const Adjusted adjusted = adjust(others, start, options_for(coefficients, huber_px_));
      if (adjusted.is_cancelled) throw Ended();
      for (size_t i = 0; i < is_out.size(); i++) {
        if (!is_out[i]) continue;
        const LensUnknowns& lens = adjusted.state.lens;
        const Pose pose = pose_of_view(board_, board_.views[i], lens);
        for (const auto& [u, v] : residuals_of(board_, board_.views[i], lens, pose)) sum += u * u + v * v, count++;
      }
    }
    return std::sqrt(sum / count);
  }

  void choose_model() {
    const size_t used = std::count(is_used_.begin(), is_used_.end(), true);
    if (used < FOLDS) {
      to_.tried.push_back({to_.coefficients, to_.adjusted.rms, std::nullopt});
      return;
    }
    const double usual = held_out(to_.coefficients);
    to_.tried.push_back({to_.coefficients, to_.adjusted.rms, usual});
    if (!may_choose_ || used < MIN_VIEWS_FOR_FIVE) return;
    say("rational", 0.6);
    const CalibrationState before = state_;
    const Adjusted adjusted_before = to_.adjusted;
    const Adjusted richer = solve(8, huber_px_);
    const double held = held_out(8);
    to_.tried.push_back({8, richer.rms, held});
    if (held <= WORTH_MORE * usual) {
      to_.coefficients = 8;
      to_.adjusted = richer;
    } else {
      state_ = before;
      to_.adjusted = adjusted_before;
    }
  }

  ViewReport report_of(size_t view) const {
    ViewReport to;
    to.is_used = is_used_[view];
    to.pose = is_used_[view] ? state_.poses[view] : pose_of_view(board_, board_.views[view], state_.lens);
    to.rms_px = rms_of(view, &to.worst_px);
    const Mat3 r = rotation_matrix(to.pose);
    to.tilt_x = std::atan2(r[2], std::fabs(r[8]));
    to.tilt_y = std::atan2(r[5], std::fabs(r[8]));
    const BoardView& corners = board_.views[view];
    const auto [left, right_most] = std::minmax_element(
        corners.begin(), corners.end(), [](const BoardCorner& a, const BoardCorner& b) { return a.u < b.u; });
    const auto [top, bottom] = std::minmax_element(
        corners.begin(), corners.end(), [](const BoardCorner& a, const BoardCorner& b) { return a.v < b.v; });
    to.width_share = (right_most->u - left->u) / board_.width;
    to.height_share = (bottom->v - top->v) / board_.height;
    return to;
  }

  void conclude() {
    CalibrationState start;
    const BoardViews used = part_of(
        board_, state_, [&](size_t i) { return is_used_[i]; }, start);
    to_.prediction = predict(used, to_.adjusted, options_for(to_.coefficients, huber_px_));
    if (to_.coefficients == 8) {
      // k4, k5 and k6 are all but the same as k1, k2 and k3: that is no fault of the pictures
      to_.prediction.condition = predict(used, to_.adjusted, options_for(5, huber_px_)).condition;
    }
    for (size_t i = 0, at = 0; i < is_used_.size(); i++) {
      to_.views.push_back(report_of(i));
      if (is_used_[i]) to_.views.back().adds = to_.prediction.adds[at++];
    }
    compare_halves(used, start);
    if (given_) try_given(used);
    to_.is_one_to_one = shows_nothing_twice();
  }

  void compare_halves(const BoardViews& used, const CalibrationState& at) {
    if (used.views.size() < MIN_VIEWS_FOR_HALVES) return;
    LensUnknowns lenses[2];
    for (size_t half = 0; half < 2; half++) {
      CalibrationState start;
      const BoardViews part = part_of(
          used, at, [&](size_t i) { return i % 2 == half; }, start);
      const Adjusted adjusted = adjust(part, start, options_for(to_.coefficients, huber_px_));
      if (adjusted.is_cancelled) throw Ended();
      lenses[half] = adjusted.state.lens;
    }
    const ErrorMap difference = difference_of(lenses[0], lenses[1], board_.width, board_.height);
    to_.halves_px = std::accumulate(difference.begin(), difference.end(), 0.0) / difference.size();
  }

  void try_given(const BoardViews& used) {
    double sum = 0, count = 0;
    for (const BoardView& view : used.views)
      for (const auto& [u, v] : residuals_of(used, view, *given_, pose_of_view(used, view, *given_)))
        sum += u * u + v * v, count++;
    to_.given_rms_px = std::sqrt(sum / count);
  }

  bool shows_nothing_twice() const {
    const LensAt at(state_.lens);
    for (const double u : {0.0, (board_.width - 1) / 2.0, board_.width - 1.0})
      for (const double v : {0.0, (board_.height - 1) / 2.0, board_.height - 1.0}) {
        double x, y, by_ray[2][2], by_lens[2][LENS_UNKNOWNS], back_u, back_v;
        at.model().undistort((u - state_.lens[CX]) / state_.lens[FX], (v - state_.lens[CY]) / state_.lens[FY], x, y);
        at.see_ray(x, y, back_u, back_v, by_ray, by_lens);
        if (!(std::hypot(back_u - u, back_v - v) < 0.01)) return false;
      }
    return true;
  }

  const BoardViews& board_;
  const std::optional<LensUnknowns>& given_;
  std::vector<bool> is_used_;
  const CalibrationProgress& progress_;
  const char* step_ = "solve";
  double share_ = 0, huber_px_ = HUBER_PX;
  bool may_choose_ = false;
  CalibrationState state_;
  Calibration to_;
};

}  // namespace

std::optional<Calibration> calibrate(const CalibrationTask& task, const CalibrationProgress& progress) {
  try {
    return Procedure(task, progress).run();
  } catch (const Ended&) {
    return std::nullopt;
  }
}

}  // namespace vedette
