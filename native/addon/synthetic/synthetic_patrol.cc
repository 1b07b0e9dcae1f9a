// The patrol: an oval over the field at constant speed, and the heading along it that keeps the most tags in view
// without turning fast.
#include <algorithm>
#include <cmath>

#include "pose_math.h"
#include "synthetic_background.h"
#include "synthetic_random.h"
#include "synthetic_trajectory.h"

namespace vedette {
namespace {

// from the walls: near enough to read tags, far enough to see two
constexpr double CLEARANCE_X_M = 3.2, CLEARANCE_Y_M = 2.4;
constexpr double KNOT_M = 0.18;
// 5 degrees each; at most one step per knot bounds the turn to about 28 degrees per metre
constexpr int HEADINGS = 72;
constexpr double TURN_COST = 0.04;
constexpr int SMOOTHING_KNOTS = 5;

/**
 * A closed path: knots at equal distances along it, heading in radians, not wrapped. turn: how much the heading grows
 * in one round.
 */
struct Path {
  std::vector<double> x, y, heading;
  double length_m = 0, turn = 0;
};

Path oval(const Arena& arena) {
  const double middle_x = (arena.from_x + arena.to_x) / 2, middle_y = (arena.from_y + arena.to_y) / 2;
  const double half_x = std::max(0.3, (arena.to_x - arena.from_x) / 2 - CLEARANCE_X_M),
               half_y = std::max(0.3, (arena.to_y - arena.from_y) / 2 - CLEARANCE_Y_M);
  const auto at = [&](double angle) {
    return std::array<double, 2>{middle_x + half_x * std::cos(angle), middle_y + half_y * std::sin(angle)};
  };
  constexpr int STEPS = 4000;
  std::vector<double> travelled{0};
  for (int i = 1; i <= STEPS; i++) {
    const auto from = at(2 * M_PI * (i - 1) / STEPS), to = at(2 * M_PI * i / STEPS);
    travelled.push_back(travelled.back() + std::hypot(to[0] - from[0], to[1] - from[1]));
  }

  Path path;
  path.length_m = travelled.back();
  const int knots = std::clamp(static_cast<int>(path.length_m / KNOT_M), 24, 600);
  for (int knot = 0, i = 0; knot < knots; knot++) {
    const double target = path.length_m * knot / knots;
    while (travelled[i + 1] <= target) i++;
    const auto point = at(2 * M_PI * (i + (target - travelled[i]) / (travelled[i + 1] - travelled[i])) / STEPS);
    path.x.push_back(point[0]);
    path.y.push_back(point[1]);
  }
  return path;
}

double heading_of(int step) { return 2 * M_PI * step / HEADINGS; }

/**
 * Behind the camera, or turned away from it: then it is in no view. Most tags are, and this is asked a hundred thousand
 * times.
 */
bool is_out_of_view(const Pose& camera, const Vec3& forward, const Pose& tag, const Vec3& face) {
  const Vec3 towards = {tag.x - camera.x, tag.y - camera.y, tag.z - camera.z};
  const auto along = [&](const Vec3& axis) {
    return axis[0] * towards[0] + axis[1] * towards[1] + axis[2] * towards[2];
  };
  return along(forward) <= 0 || along(face) >= 0;
}

/** What each heading at each knot is worth: the two best tags in view count in full. */
std::vector<double> rewards(const SyntheticOptions& options, const Lens& lens, const Path& path) {
  std::vector<double> result(path.x.size() * HEADINGS);
  std::vector<Vec3> faces;
  for (const MapTag& tag : options.map.tags) faces.push_back(rotate(tag.field_tag, {1, 0, 0}));
  for (size_t knot = 0; knot < path.x.size(); knot++) {
    for (int step = 0; step < HEADINGS; step++) {
      const Pose robot = pose_from_euler(path.x[knot], path.y[knot], 0, 0, 0, heading_of(step));
      const Pose field_camera = compose(robot, options.mount);
      const Vec3 forward = rotate(field_camera, {1, 0, 0});
      double best = 0, second = 0, rest = 0;
      for (size_t i = 0; i < options.map.tags.size(); i++) {
        const MapTag& tag = options.map.tags[i];
        if (is_out_of_view(field_camera, forward, tag.field_tag, faces[i])) continue;
        double quality = view_quality(lens, field_camera, tag.field_tag, options.map.size_of(tag));
        if (quality > best) std::swap(quality, best);
        if (quality > second) std::swap(quality, second);
        rest += quality;
      }
      result[knot * HEADINGS + step] = best + 1.5 * second + 0.1 * rest;
    }
  }
  return result;
}

/**
 * The heading steps of one or more rounds with the greatest sum of rewards less the cost of turning (dynamic
 * programming). ends: the heading at the first and at one past the last knot, or -1 for any.
 */
std::vector<int> best_headings(const std::vector<double>& reward, int knots, int rounds, int ends) {
  const int count = knots * rounds + 1;
  std::vector<double> value(HEADINGS, 0), next(HEADINGS);
  std::vector<signed char> step_from(static_cast<size_t>(count) * HEADINGS);
  for (int h = 0; h < HEADINGS; h++) value[h] = (ends < 0 || h == ends ? 0 : -1e9) + reward[h];
  for (int k = 1; k < count; k++) {
    for (int h = 0; h < HEADINGS; h++) {
      next[h] = -1e18;
      for (const int turn : {0, -1, 1}) {
        const double candidate = value[(h - turn + HEADINGS) % HEADINGS] - TURN_COST * std::abs(turn);
        if (candidate <= next[h]) continue;
        next[h] = candidate;
        step_from[static_cast<size_t>(k) * HEADINGS + h] = static_cast<signed char>(turn);
      }
      next[h] += reward[static_cast<size_t>(k % knots) * HEADINGS + h];
    }
    std::swap(value, next);
  }
  std::vector<int> headings(count);
  headings.back() = ends >= 0 ? ends : static_cast<int>(std::max_element(value.begin(), value.end()) - value.begin());
  for (int k = count - 1; k > 0; k--) {
    const int wrapped = ((headings[k] % HEADINGS) + HEADINGS) % HEADINGS;
    headings[k - 1] = headings[k] - step_from[static_cast<size_t>(k) * HEADINGS + wrapped];
  }
  return headings;
}

/** Averages over neighbours on the closed path, whose heading may have grown by whole turns. */
void smooth(Path& path) {
  const int knots = static_cast<int>(path.heading.size());
  const std::vector<double> before = path.heading;
  for (int k = 0; k < knots; k++) {
    double sum = 0;
    for (int i = k - SMOOTHING_KNOTS; i <= k + SMOOTHING_KNOTS; i++)
      sum += i < 0 ? before[i + knots] - path.turn : i >= knots ? before[i - knots] + path.turn : before[i];
    path.heading[k] = sum / (2 * SMOOTHING_KNOTS + 1);
  }
}

void look_at_tags(const SyntheticOptions& options, const Lens& lens, Path& path) {
  const int knots = static_cast<int>(path.x.size());
  const std::vector<double> reward = rewards(options, lens, path);
  // Free rounds settle on a heading for the first knot; then one round that begins and ends with it.
  const int settled = best_headings(reward, knots, 3, -1)[knots];
  const std::vector<int> headings = best_headings(reward, knots, 1, ((settled % HEADINGS) + HEADINGS) % HEADINGS);
  for (int k = 0; k < knots; k++) path.heading.push_back(heading_of(headings[k]));
  path.turn = heading_of(headings[knots] - headings[0]);
  for (int i = 0; i < 2; i++) smooth(path);
}

/** Catmull-Rom through four neighbouring knots: smooth in position and speed. */
double between_knots(double a, double b, double c, double d, double share) {
  return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)));
}

Pose pose_on(const Path& path, double metres) {
  const int knots = static_cast<int>(path.x.size());
  const double round = metres / path.length_m, at = (round - std::floor(round)) * knots;
  const int knot = std::min(knots - 1, static_cast<int>(at));
  const auto value = [&](const std::vector<double>& of, double growth) {
    const auto neighbour = [&](int i) {
      return i < 0 ? of[i + knots] - growth : i >= knots ? of[i - knots] + growth : of[i];
    };
    return between_knots(neighbour(knot - 1), neighbour(knot), neighbour(knot + 1), neighbour(knot + 2), at - knot);
  };
  return pose_from_euler(value(path.x, 0), value(path.y, 0), 0, 0, 0, value(path.heading, path.turn));
}

}  // namespace

Trajectory patrol(const SyntheticOptions& options, const Lens& lens) {
  Path path = oval(arena_of(options.map));
  look_at_tags(options, lens, path);
  const double begin_m = path.length_m * mixed_share(options.seed, 12);
  return [path = std::move(path), begin_m, speed = options.speed_m_s](double seconds) {
    return pose_on(path, begin_m + speed * seconds);
  };
}

}  // namespace vedette
