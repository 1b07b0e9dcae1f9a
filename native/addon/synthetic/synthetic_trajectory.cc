#include "synthetic_trajectory.h"

#include <algorithm>
#include <cmath>

#include "pose_math.h"
#include "synthetic_random.h"

namespace vedette {
namespace {

constexpr double GROUP_RADIUS_M = 0.9;
constexpr double GROUP_COSINE = 0.8;  // tags of a group face within 37 degrees of each other
constexpr double NEAREST_VIEW_M = 3, FARTHEST_VIEW_M = 9;
constexpr double SWING_RAD = 0.42, AIM_RAD = 0.05, BREATHING_M = 0.25;

/** Tags that can be seen together: their middle, and the direction (radians) in which they look. */
struct Group {
  std::vector<MapTag> tags;
  Vec3 middle{0, 0, 0};
  double yaw = 0;
};

Group group_around(const FieldMap& map, const MapTag& anchor) {
  const Vec3 facing = rotate(anchor.field_tag, {1, 0, 0});
  Group group;
  Vec3 normal{0, 0, 0};
  for (const MapTag& tag : map.tags) {
    const Vec3 other = rotate(tag.field_tag, {1, 0, 0});
    const double apart = std::hypot(tag.field_tag.x - anchor.field_tag.x, tag.field_tag.y - anchor.field_tag.y,
                                    tag.field_tag.z - anchor.field_tag.z);
    if (apart > GROUP_RADIUS_M || facing[0] * other[0] + facing[1] * other[1] + facing[2] * other[2] < GROUP_COSINE)
      continue;
    group.tags.push_back(tag);
    for (int i = 0; i < 3; i++) normal[i] += other[i];
  }
  for (const MapTag& tag : group.tags) {
    group.middle[0] += tag.field_tag.x / group.tags.size();
    group.middle[1] += tag.field_tag.y / group.tags.size();
    group.middle[2] += tag.field_tag.z / group.tags.size();
  }
  group.yaw = std::atan2(normal[1], normal[0]);
  return group;
}

/**
 * The nearest group of two or more when a pose is given, else the first of the map; a single tag when no two are
 * together.
 */
Group choose_group(const SyntheticOptions& options) {
  Group best;
  double best_distance = 0;
  for (const MapTag& tag : options.map.tags) {
    Group group = group_around(options.map, tag);
    const double distance =
        options.has_pose ? std::hypot(group.middle[0] - options.pose.x, group.middle[1] - options.pose.y) : 0;
    const bool together = group.tags.size() >= 2, best_together = best.tags.size() >= 2;
    if (best.tags.empty() || (together && !best_together) || (together == best_together && distance < best_distance)) {
      best = std::move(group);
      best_distance = distance;
    }
  }
  return best;
}

/**
 * The robot `distance` from the group, `aside` radians off its normal, its camera aimed `off` radians past the middle.
 */
Pose in_front(const Pose& mount, const Group& group, double distance, double aside, double off) {
  const double bearing = group.yaw + aside;
  return robot_below_camera(mount, group.middle[0] + distance * std::cos(bearing),
                            group.middle[1] + distance * std::sin(bearing), bearing + M_PI + off);
}

bool all_in_view(const SyntheticOptions& options, const Lens& lens, const Group& group, double distance, double aside,
                 double off) {
  const Pose field_camera = compose(in_front(options.mount, group, distance, aside, off), options.mount);
  return std::all_of(group.tags.begin(), group.tags.end(), [&](const MapTag& tag) {
    return view_quality(lens, field_camera, tag.field_tag, options.map.size_of(tag)) > 0;
  });
}

/** 3 m, or as far back as it takes to keep a high or wide group in the picture over the whole swing. */
double viewing_distance(const SyntheticOptions& options, const Lens& lens, const Group& group) {
  for (double distance = NEAREST_VIEW_M; distance <= FARTHEST_VIEW_M; distance += 0.25) {
    bool seen = true;
    for (const double aside : {-SWING_RAD, 0.0, SWING_RAD})
      for (const double off : {-AIM_RAD, AIM_RAD})
        seen = seen && all_in_view(options, lens, group, distance - BREATHING_M, aside, off);
    if (seen) return distance;
  }
  return NEAREST_VIEW_M;
}

}  // namespace

Trajectory orbit(const SyntheticOptions& options, const Lens& lens) {
  const Group group = choose_group(options);
  if (group.tags.empty()) return [pose = options.pose](double) { return pose; };
  const double distance = viewing_distance(options, lens, group);
  // the robot is at full speed in the middle of a swing
  const double rate = options.speed_m_s / (distance * SWING_RAD);
  const double begin = 2 * M_PI * mixed_share(options.seed, 11);
  return [mount = options.mount, group, distance, rate, begin](double seconds) {
    const double phase = begin + rate * seconds;
    return in_front(mount, group, distance + BREATHING_M * std::sin(1.7 * phase), SWING_RAD * std::sin(phase),
                    AIM_RAD * std::sin(2.3 * phase));
  };
}

Trajectory make_trajectory(const SyntheticOptions& options, const Lens& lens) {
  if (options.motion == "patrol") return patrol(options, lens);
  if (options.motion == "orbit") return orbit(options, lens);
  if (options.motion == "drive") return drive(options);
  Pose pose = options.pose;
  const Group group = choose_group(options);
  if (!options.has_pose && !group.tags.empty())
    pose = in_front(options.mount, group, viewing_distance(options, lens, group), 0, 0);
  return [pose](double) { return pose; };
}

Pose robot_below_camera(const Pose& mount, double x, double y, double yaw) {
  const Vec3 forward = rotate(mount, {1, 0, 0});
  const Pose turned = pose_from_euler(0, 0, 0, 0, 0, yaw - std::atan2(forward[1], forward[0]));
  const Vec3 offset = rotate(turned, {mount.x, mount.y, 0});
  return {x - offset[0], y - offset[1], 0, turned.qw, turned.qx, turned.qy, turned.qz};
}

double view_quality(const Lens& lens, const Pose& field_camera, const Pose& field_tag, double tag_size_m) {
  const Pose tag_camera = compose(invert(field_tag), field_camera);
  const double distance = std::hypot(tag_camera.x, tag_camera.y, tag_camera.z), cosine = tag_camera.x / distance;
  if (cosine < 0.25) return 0;
  const Pose optical_tag = invert(compose(tag_camera, body_optical()));
  const double half = tag_size_m / 2;
  for (const double y : {-half, half}) {
    for (const double z : {-half, half}) {
      double u, v;
      if (!lens.project(transform(optical_tag, {0, y, z}), u, v) || u < 0 || v < 0 || u > lens.intrinsics().width ||
          v > lens.intrinsics().height)
        return 0;
    }
  }
  return cosine * std::clamp((8 - distance) / 5, 0.02, 1.0);
}

}  // namespace vedette
