// Lets tags through by their ids.
#include <algorithm>

#include "tag_nodes.h"

namespace vedette {

namespace {

class IdFilterNode : public Node {
 public:
  explicit IdFilterNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const std::string mode = params.string("mode");
    if (mode != "keep" && mode != "drop")
      throw Fault{"engine.bad_task", "tags are kept or dropped, there is no mode " + mode};
    std::vector<int> ids;
    for (const double id : params.numbers("ids")) ids.push_back(static_cast<int>(std::clamp(id, -1.0, 1e9)));
    std::sort(ids.begin(), ids.end());
    ids_.swap(ids);
    keeps_ = mode == "keep";
  }

  void process(const Moment&, const Ports& ports) override {
    Detections& out = ports.out<Detections>();
    out.clear();
    for (const Detection& tag : ports.in<Detections>(0))
      if (ids_.empty() || std::binary_search(ids_.begin(), ids_.end(), tag.id) == keeps_) out.push_back(tag);
  }

 private:
  std::vector<int> ids_;
  bool keeps_ = true;
};

}  // namespace

std::unique_ptr<Node> make_id_filter_node(const Params& params, const Scene&) {
  return std::make_unique<IdFilterNode>(params);
}

}  // namespace vedette
