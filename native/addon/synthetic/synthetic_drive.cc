// The drive: a robot that several cameras share. Where it is follows from the time and from options that all of them
// have, and from nothing that one of them has for itself.
#include <algorithm>
#include <cmath>
#include <vector>

#include "pose_math.h"
#include "synthetic_background.h"
#include "synthetic_random.h"
#include "synthetic_trajectory.h"

namespace vedette {
namespace {

constexpr double STEP_S = 0.1;
// Of each axis by itself, so that both together stay below 4 m/s2.
constexpr double MAX_ACCELERATION = 2.8;
// Less: braking by whole steps asks for up to 1.125 of it, and a robot has to be able to stop before a wall.
constexpr double BRAKING = 0.85 * MAX_ACCELERATION;
constexpr double MAX_SPIN_UP = 2 * M_PI;  // radians/s2
constexpr double CLEARANCE_M = 1, CLEARANCE_SHARE = 0.25;
constexpr int LEGS = 40;
constexpr double MAX_LEG_S = 8;
constexpr double STAND_SHARE = 0.25, MIN_STAND_S = 1, MAX_STAND_S = 3;
constexpr double SPINNING_SHARE = 0.75, FULL_SPIN_SHARE = 0.5;
constexpr double HOME_M = 1e-9;
constexpr uint64_t DRAWS = 1000;  // apart from what else is drawn with such a seed

/** As fast as one may go along an axis to stand still after `room` metres, braking in whole steps. */
double stopping_speed(double room) {
  if (room <= 0) return 0;
  const double step = BRAKING * STEP_S / 2;
  return std::min(room / STEP_S, std::sqrt(step * step + 2 * BRAKING * room) - step);
}

double slewed(double from, double to, double most) { return from + std::clamp(to - from, -most, most); }

/**
 * One round, from a stand to the same stand: points in time of a curve, and by how much the heading grows meanwhile.
 */
struct Round {
  std::vector<double> x, y, yaw;
  double turn = 0;
};

/**
 * A robot that makes for one place after the other. Its speeds and accelerations have bounds, which are then also those
 * of the cubic B-spline through its steps: speed and acceleration of that are means of neighbouring steps'.
 */
class Driver {
 public:
  Driver(const SyntheticDrive& drive, const Arena& arena) : drive_(drive) {
    const auto within = [](double from, double to, double& low, double& high) {
      const double clearance = std::min(CLEARANCE_M, CLEARANCE_SHARE * (to - from));
      low = from + clearance;
      high = to - clearance;
    };
    within(arena.from_x, arena.to_x, low_x_, high_x_);
    within(arena.from_y, arena.to_y, low_y_, high_y_);
    x_ = draw(low_x_, high_x_);
    y_ = draw(low_y_, high_y_);
    yaw_ = draw(-M_PI, M_PI);
  }

  Round drive() {
    const double home_x = x_, home_y = y_, first_yaw = yaw_;
    stand();
    for (int leg = 0; leg < LEGS; leg++) {
      // One after the other: the order of arguments is the compiler's.
      const double spin = draw_spin(), y = draw(low_y_, high_y_), x = draw(low_x_, high_x_);
      make_for(x, y, spin);
      if (draw(0, 1) < STAND_SHARE) stand();
    }
    while (!is_at(home_x, home_y)) step(towards(home_x - x_), towards(home_y - y_), 0);
    x_ = home_x;
    y_ = home_y;
    stand();
    round_.turn = yaw_ - first_yaw;
    return std::move(round_);
  }

 private:
  double draw(double from, double to) { return from + (to - from) * mixed_share(drive_.seed, DRAWS + drawn_++); }

  double draw_spin() {
    const double kind = draw(0, 1), side = draw(-1, 1) < 0 ? -1 : 1, share = draw(0.2, 1);
    if (kind > SPINNING_SHARE) return 0;
    return side * drive_.spin_deg_s * M_PI / 180 * (kind < FULL_SPIN_SHARE ? 1 : share);
  }

  double towards(double way) const {
    return std::copysign(std::min(drive_.speed_m_s, stopping_speed(std::fabs(way))), way);
  }

  bool is_at(double x, double y) const {
    return std::fabs(x - x_) < HOME_M && std::fabs(y - y_) < HOME_M && is_standing();
  }

  bool is_standing() const { return std::fabs(speed_x_) < HOME_M && std::fabs(speed_y_) < HOME_M && spin_ == 0; }

  void make_for(double x, double y, double spin) {
    const double near_m = 0.3 + 0.3 * drive_.speed_m_s;
    for (double seconds = 0; seconds < MAX_LEG_S; seconds += STEP_S) {
      const double way = std::hypot(x - x_, y - y_);
      if (way < near_m) return;
      step(drive_.speed_m_s * (x - x_) / way, drive_.speed_m_s * (y - y_) / way, spin);
    }
  }

  void stand() {
    while (!is_standing()) step(0, 0, 0);
    speed_x_ = speed_y_ = 0;
    const double until_s = draw(MIN_STAND_S, MAX_STAND_S);
    for (double seconds = 0; seconds < until_s; seconds += STEP_S) step(0, 0, 0);
  }

  void step(double wanted_x, double wanted_y, double spin) {
    speed_x_ = slewed(speed_x_, between_walls(wanted_x, x_, low_x_, high_x_), MAX_ACCELERATION * STEP_S);
    speed_y_ = slewed(speed_y_, between_walls(wanted_y, y_, low_y_, high_y_), MAX_ACCELERATION * STEP_S);
    // Taken to the nearest point of a disc, two points come no farther from each other.
    const double speed = std::hypot(speed_x_, speed_y_);
    if (speed > drive_.speed_m_s) {
      speed_x_ *= drive_.speed_m_s / speed;
      speed_y_ *= drive_.speed_m_s / speed;
    }
    spin_ = slewed(spin_, spin, MAX_SPIN_UP * STEP_S);
    x_ += speed_x_ * STEP_S;
    y_ += speed_y_ * STEP_S;
    yaw_ += spin_ * STEP_S;
    round_.x.push_back(x_);
    round_.y.push_back(y_);
    round_.yaw.push_back(yaw_);
  }

  static double between_walls(double wanted, double at, double low, double high) {
    return std::clamp(wanted, -stopping_speed(at - low), stopping_speed(high - at));
  }

  const SyntheticDrive drive_;
  double low_x_ = 0, high_x_ = 0, low_y_ = 0, high_y_ = 0;
  double x_ = 0, y_ = 0, yaw_ = 0, speed_x_ = 0, speed_y_ = 0, spin_ = 0;
  uint64_t drawn_ = 0;
  Round round_;
};

/** Between the second and the third of four neighbours. */
double spline(double a, double b, double c, double d, double share) {
  const double back = 1 - share, square = share * share;
  return (back * back * back * a + (3 * square * share - 6 * square + 4) * b +
          (3 * (share + square - square * share) + 1) * c + square * share * d) /
         6;
}

Pose pose_in(const Round& round, double seconds) {
  const auto count = static_cast<int64_t>(round.x.size());
  const double at = seconds / STEP_S, whole = std::floor(at);
  const double rounds = std::floor(whole / static_cast<double>(count));
  const auto step = static_cast<int64_t>(whole - rounds * static_cast<double>(count));
  const auto value = [&](const std::vector<double>& of, double growth) {
    const auto neighbour = [&](int64_t n) {
      return n < 0 ? of[n + count] - growth : n >= count ? of[n - count] + growth : of[n];
    };
    return spline(neighbour(step - 1), neighbour(step), neighbour(step + 1), neighbour(step + 2), at - whole);
  };
  const double yaw = value(round.yaw, round.turn) + std::remainder(rounds * round.turn, 2 * M_PI);
  return pose_from_euler(value(round.x, 0), value(round.y, 0), 0, 0, 0, yaw);
}

}  // namespace

Trajectory drive(const SyntheticOptions& options) {
  return [round = Driver(options.drive, arena_of(options.map)).drive()](double seconds) {
    return pose_in(round, seconds);
  };
}

}  // namespace vedette
