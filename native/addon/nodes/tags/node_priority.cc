// Puts the tag that matters most first, or gives it alone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "pose_math.h"
#include "tag_nodes.h"

namespace vedette {

namespace {

enum class Order { largest, closest, centremost, given };

Order order_of(const std::string& name) {
  if (name == "largest") return Order::largest;
  if (name == "closest") return Order::closest;
  if (name == "centremost") return Order::centremost;
  if (name == "given") return Order::given;
  throw Fault{"engine.bad_task", "there is no order " + name + " of tags"};
}

double area_px(const Detection& tag) {
  double twice = 0;
  for (int i = 0; i < 4; i++) {
    const auto &a = tag.corners[i], &b = tag.corners[(i + 1) % 4];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return std::fabs(twice) / 2;
}

class PriorityNode : public Node {
 public:
  explicit PriorityNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const Order order = order_of(params.string("by"));
    const bool is_alone = params.flag("alone");
    std::vector<double> ids = params.numbers("ids");
    order_ = order;
    is_alone_ = is_alone;
    ids_.swap(ids);
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Detections& tags = ports.in<Detections>(0);
    const TagPoses* poses = ports.optional_in<TagPoses>(1);
    Detections& out = ports.out<Detections>();
    out.clear();
    ranks_.clear();
    for (size_t i = 0; i < tags.size(); i++)
      ranks_.emplace_back(key_of(tags[i], poses, moment.frame), -area_px(tags[i]), i);
    const size_t count = is_alone_ ? std::min<size_t>(1, ranks_.size()) : ranks_.size();
    std::partial_sort(ranks_.begin(), ranks_.begin() + static_cast<ptrdiff_t>(count), ranks_.end());
    for (size_t i = 0; i < count; i++) out.push_back(tags[std::get<2>(ranks_[i])]);
  }

 private:
  /** What is least comes first; of those that are alike the largest, then the one that came first. */
  double key_of(const Detection& tag, const TagPoses* poses, const Frame& frame) const {
    switch (order_) {
      case Order::closest:
        return distance_m(tag, poses);
      case Order::centremost:
        return std::hypot(tag.center[0] - frame.width / 2.0, tag.center[1] - frame.height / 2.0);
      case Order::given:
        return static_cast<double>(std::find(ids_.begin(), ids_.end(), tag.id) - ids_.begin());
      default:
        return 0;
    }
  }

  /** Of the nearest tag with that id, from the camera; infinite when it has no pose. */
  static double distance_m(const Detection& tag, const TagPoses* poses) {
    double least = std::numeric_limits<double>::infinity();
    if (!poses) return least;
    for (const TagPose& pose : *poses) {
      const Pose& at = pose.camera_tag;
      if (pose.no_pose != NoPose::none) continue;
      if (pose.family == tag.family && pose.id == tag.id) least = std::min(least, std::hypot(at.x, at.y, at.z));
    }
    return least;
  }

  Order order_ = Order::largest;
  bool is_alone_ = true;
  std::vector<double> ids_;
  std::vector<std::tuple<double, double, size_t>> ranks_;  // key, area with its sign turned, place among what came
};

}  // namespace

std::unique_ptr<Node> make_priority_node(const Params& params, const Scene&) {
  return std::make_unique<PriorityNode>(params);
}

}  // namespace vedette
