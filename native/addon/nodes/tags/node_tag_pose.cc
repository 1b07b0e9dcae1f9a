// Both poses of each tag in the optical frame.
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
      if (solver_.solve(tag, tag_size_m_, camera_, pose)) out.push_back(pose);
    }
  }

 private:
  const double tag_size_m_;
  const Intrinsics camera_;
  SquareSolver solver_;
};

}  // namespace

std::unique_ptr<Node> make_tag_pose_node(const Params& params, const Scene& scene) {
  return std::make_unique<TagPoseNode>(params.number_or("tag_size_m", scene.map.tag_size_m), scene.intrinsics);
}

}  // namespace vedette
