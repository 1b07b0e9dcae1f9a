// Both poses of each tag in the optical frame, or why it has none.
#include <map>

#include "square.h"
#include "tag_nodes.h"

namespace vedette {

namespace {

class TagPoseNode : public Node {
 public:
  /** tag_size_m: of all tags; 0: as the map has them, where it has them. */
  TagPoseNode(double tag_size_m, const Scene& scene)
      : tag_size_m_(tag_size_m > 0 ? tag_size_m : scene.map.tag_size_m), camera_(scene.intrinsics) {
    if (tag_size_m > 0) return;
    for (const MapTag& tag : scene.map.tags)
      if (tag.size_m > 0) own_sizes_m_[{family_index(scene.map.family_of(tag)), tag.id}] = tag.size_m;
  }

  void process(const Moment&, const Ports& ports) override {
    TagPoses& out = ports.out<TagPoses>();
    out.clear();
    for (const TagPoints& tag : ports.in<Points>(0)) {
      TagPose pose;
      if (tag.no_pose != NoPose::none) out.push_back(without_pose(tag, tag.no_pose));
      else if (solver_.solve(tag, size_m_of(tag), camera_, pose)) out.push_back(pose);
      else out.push_back(without_pose(tag, NoPose::no_square));
    }
  }

 private:
  static TagPose without_pose(const TagPoints& tag, NoPose why) {
    constexpr Pose NOWHERE{0, 0, 0, 0, 0, 0, 0};
    return {tag.family, tag.id, 0, 0, 0, NOWHERE, NOWHERE, why};
  }

  double size_m_of(const TagPoints& tag) const {
    const auto own = own_sizes_m_.find({tag.family, tag.id});
    return own == own_sizes_m_.end() ? tag_size_m_ : own->second;
  }

  const double tag_size_m_;
  std::map<std::pair<int, int>, double> own_sizes_m_;  // by family and id
  const Intrinsics camera_;
  SquareSolver solver_;
};

}  // namespace

std::unique_ptr<Node> make_tag_pose_node(const Params& params, const Scene& scene) {
  return std::make_unique<TagPoseNode>(params.number_or("tag_size_m", 0), scene);
}

}  // namespace vedette
