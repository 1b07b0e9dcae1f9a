// Both poses of each tag in the optical frame, or why it has none.
#include "square.h"
#include "tag_nodes.h"

namespace vedette {

namespace {

class TagPoseNode : public Node {
 public:
  TagPoseNode(double tag_size_m, const Intrinsics& camera) : tag_size_m_(tag_size_m), camera_(camera) {}

  void process(const Moment&, const Ports& ports) override {
    TagPoses& out = ports.out<TagPoses>();
    out.clear();
    for (const TagPoints& tag : ports.in<Points>(0)) {
      TagPose pose;
      if (tag.no_pose != NoPose::none) out.push_back(without_pose(tag, tag.no_pose));
      else if (solver_.solve(tag, tag_size_m_, camera_, pose)) out.push_back(pose);
      else out.push_back(without_pose(tag, NoPose::no_square));
    }
  }

 private:
  static TagPose without_pose(const TagPoints& tag, NoPose why) {
    constexpr Pose NOWHERE{0, 0, 0, 0, 0, 0, 0};
    return {tag.family, tag.id, 0, 0, 0, NOWHERE, NOWHERE, why};
  }

  const double tag_size_m_;
  const Intrinsics camera_;
  SquareSolver solver_;
};

}  // namespace

std::unique_ptr<Node> make_tag_pose_node(const Params& params, const Scene& scene) {
  return std::make_unique<TagPoseNode>(params.number_or("tag_size_m", scene.map.tag_size_m), scene.intrinsics);
}

}  // namespace vedette
