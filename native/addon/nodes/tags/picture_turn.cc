#include "picture_turn.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <utility>

#include "pose_math.h"

namespace vedette {

std::optional<Homography> PictureTurn::since_last(const Moment& moment, const ToSource& to_source) {
  const std::optional<RobotYaw> yaw = intrinsics_.known ? moment.yaw() : std::nullopt;
  const std::optional<double> now_rad = yaw ? std::optional{yaw->yaw_rad} : std::nullopt,
                              last_rad = std::exchange(last_yaw_rad_, now_rad);
  if (!now_rad || !last_rad) return {};
  // What stands still in the field turns the other way about the robot.
  const Pose robot_optical = compose(moment.mount, body_optical()),
             turn = pose_from_euler(0, 0, 0, 0, 0, *last_rad - *now_rad);
  const cv::Matx33d rotation(rotation_matrix(compose(invert(robot_optical), compose(turn, robot_optical))).data());
  const cv::Matx33d camera(intrinsics_.fx, 0, intrinsics_.cx + 0.5, 0, intrinsics_.fy, intrinsics_.cy + 0.5, 0, 0, 1);
  const cv::Matx33d direction = camera.inv() * cv::Matx33d(to_source.matrix.data()),
                    map = direction.inv() * rotation * direction;
  Homography out;
  std::copy(map.val, map.val + 9, out.m.begin());
  return out;
}

}  // namespace vedette
