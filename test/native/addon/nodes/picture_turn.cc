// What a turn of the robot does to a picture is known before the picture is looked at.
#include "picture_turn.h"

#include "check.h"
#include "pose_math.h"
#include "suite.h"

namespace vedette::test {
namespace {

const Intrinsics CAMERA{true, 1280, 800, 900, 905, 639.5, 401.25, {}};

/** Level, looking ahead and to the left, tilted, and rolled over. */
const Pose MOUNT = pose_from_euler(0.3, 0.1, 0.5, 0.2, -0.35, 0.6);

/** A robot that says which way it looks, or does not. */
class Robot : public RobotYaws {
 public:
  std::optional<RobotYaw> yaw_at(int64_t) const override { return yaw; }

  std::optional<RobotYaw> yaw;
};

/** Continuous pixels of a place so far away that it makes no difference where the robot stands. */
std::array<double, 2> seen_at(const Vec3& direction, double yaw_rad) {
  const Pose field_optical = compose(pose_from_euler(0, 0, 0, 0, 0, yaw_rad), compose(MOUNT, body_optical()));
  const Vec3 p = transform(invert(field_optical), {1e7 * direction[0], 1e7 * direction[1], 1e7 * direction[2]});
  return {CAMERA.fx * p[0] / p[2] + CAMERA.cx + 0.5, CAMERA.fy * p[1] / p[2] + CAMERA.cy + 0.5};
}

const Suite suite([] {
  test("places go where the turn takes them, in the source and in a part of it that is smaller", [] {
    Robot robot;
    Frame frame;
    const Moment moment{frame, MOUNT, nullptr, nullptr, &robot};
    double max_px = 0;
    for (const auto& [before, after] : {std::pair{0.0, 0.05}, {1.0, 0.9}, {-3.13, -3.16}, {0.4, 0.4}})
      for (const ToSource& to_source : {ToSource{}, ToSource{}.scaled(2, 2, 100, 60)}) {
        PictureTurn turn(CAMERA);
        robot.yaw = RobotYaw{before, 0.01};
        expect(!turn.since_last(moment, to_source), "it is known after one picture");
        robot.yaw = RobotYaw{after, 0.01};
        const std::optional<Homography> map = turn.since_last(moment, to_source);
        expect(map.has_value(), "it is not known");
        for (const double aside : {-0.3, 0.0, 0.3}) {
          const Vec3 direction = rotate(pose_from_euler(0, 0, 0, 0, 0.3, before + 0.6 + aside), {1, 0, 0});
          const auto [x, y] = seen_at(direction, before);
          const auto [truth_x, truth_y] = seen_at(direction, after);
          const double scale = to_source.matrix[0], left = to_source.matrix[2], top = to_source.matrix[5];
          double u, v;
          map->apply((x - left) / scale, (y - top) / scale, u, v);
          max_px = std::max(max_px, std::hypot(u * scale + left - truth_x, v * scale + top - truth_y));
        }
      }
    expect(max_px < 1e-3, text("%.4f px off", max_px));
    return text("%.6f px off at most", max_px);
  });

  test("it is not known where the robot is silent, and without intrinsics", [] {
    Robot robot;
    Frame frame;
    const Moment moment{frame, MOUNT, nullptr, nullptr, &robot};
    PictureTurn turn(CAMERA), blind(Intrinsics{});
    const auto is_known = [&](double yaw_rad, bool is_said) {
      robot.yaw = is_said ? std::optional{RobotYaw{yaw_rad, 0.01}} : std::nullopt;
      expect(!blind.since_last(moment, {}), "without intrinsics");
      return turn.since_last(moment, {}).has_value();
    };
    expect(
        !is_known(0, true) && is_known(0.1, true) && !is_known(0, false) && !is_known(0.3, true) && is_known(0.4, true),
        "when it was silent");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
