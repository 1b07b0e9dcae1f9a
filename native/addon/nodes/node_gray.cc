// Grey from whatever the source gives. Every source gives grey now, so the pixels pass by untouched.
#include "node.h"

namespace vedette {

namespace {

class GrayNode : public Node {
 public:
  void process(const Moment&, const Ports& ports) override { ports.out<Image>() = ports.in<Image>(0); }
};

}  // namespace

std::unique_ptr<Node> make_gray_node(const Params&, const Scene&) { return std::make_unique<GrayNode>(); }

}  // namespace vedette
