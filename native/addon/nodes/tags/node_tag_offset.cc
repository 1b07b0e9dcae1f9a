// A point beside each tag: where it is, and in which direction and at which pixel it is seen.
#include <cmath>
#include <opencv2/calib3d.hpp>

#include "pose_math.h"
#include "tag_nodes.h"

namespace vedette {

namespace {

constexpr double DEG = 57.295779513082320877;
constexpr double NEAREST_M = 0.01;  // what is nearer than this, or behind, has no place in the picture

class TagOffsetNode : public Node {
 public:
  TagOffsetNode(const Params& params, const Intrinsics& camera)
      : camera_(camera), matrix_(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1) {
    set_params(params);
  }

  void set_params(const Params& params) override {
    const double right_m = params.number("right_m"), up_m = params.number("up_m"), out_m = params.number("out_m");
    tag_point_ = {right_m, -up_m, -out_m};
  }

  void process(const Moment&, const Ports& ports) override {
    TagPoses* poses = ports.optional_out<TagPoses>(0);
    Targets* targets = ports.optional_out<Targets>(1);
    if (poses) poses->clear();
    if (targets) targets->clear();
    for (const TagPose& tag : ports.in<TagPoses>(0)) {
      if (tag.no_pose != NoPose::none) {
        if (poses) poses->push_back(tag);
        continue;
      }
      TagPose moved = tag;
      moved.camera_tag = shifted(tag.camera_tag);
      moved.alt_camera_tag = shifted(tag.alt_camera_tag);
      if (targets && moved.camera_tag.z > NEAREST_M) targets->push_back(seen(moved));
      if (poses) poses->push_back(moved);
    }
  }

 private:
  Pose shifted(const Pose& camera_tag) const {
    const Vec3 at = transform(camera_tag, tag_point_);
    return {at[0], at[1], at[2], camera_tag.qw, camera_tag.qx, camera_tag.qy, camera_tag.qz};
  }

  /** A point has no extent: its corners are all where it is. */
  Target seen(const TagPose& moved) {
    Target target;
    const Pose& at = moved.camera_tag;
    target.tx_deg = std::atan(at.x / at.z) * DEG;
    target.ty_deg = std::atan(-at.y / at.z) * DEG;
    target.has_pose = true;
    target.error_px = moved.error_px;
    target.camera_target = at;
    point_[0] = {at.x, at.y, at.z};
    cv::projectPoints(point_, cv::Vec3d(), cv::Vec3d(), matrix_, camera_.distortion, pixel_);
    target.center[0] = pixel_[0].x + 0.5;  // OpenCV's centre of the first pixel is 0, ours 0.5
    target.center[1] = pixel_[0].y + 0.5;
    for (auto& corner : target.corners) std::copy(target.center, target.center + 2, corner);
    return target;
  }

  const Intrinsics camera_;
  const cv::Matx33d matrix_;
  Vec3 tag_point_{};
  std::vector<cv::Point3d> point_{1};
  std::vector<cv::Point2d> pixel_;
};

}  // namespace

std::unique_ptr<Node> make_tag_offset_node(const Params& params, const Scene& scene) {
  return std::make_unique<TagOffsetNode>(params, scene.intrinsics);
}

}  // namespace vedette
