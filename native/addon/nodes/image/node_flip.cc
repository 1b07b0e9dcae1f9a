// The picture as a mirror shows it: left and right, top and bottom, or both changed for one another.
#include <opencv2/core.hpp>

#include "image_nodes.h"
#include "picture_node.h"

namespace vedette {

namespace {

class FlipNode : public PictureNode {
 public:
  explicit FlipNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const std::string direction = params.string("direction");
    if (direction != "horizontal" && direction != "vertical" && direction != "both")
      throw Fault{"engine.bad_task", "a picture cannot be flipped in the direction " + direction};
    is_sideways_ = direction != "vertical";
    is_upside_down_ = direction != "horizontal";
  }

 protected:
  Image changed(const Image& image) override {
    cv::flip(view_of(image), pixels_, is_sideways_ ? (is_upside_down_ ? -1 : 1) : 0);
    const double along_x = is_sideways_ ? -1 : 1, along_y = is_upside_down_ ? -1 : 1;
    return image_of(
        pixels_, image.format,
        image.to_source.scaled(along_x, along_y, is_sideways_ ? image.width : 0, is_upside_down_ ? image.height : 0));
  }

 private:
  bool is_sideways_ = false, is_upside_down_ = false;
};

}  // namespace

std::unique_ptr<Node> make_flip_node(const Params& params, const Scene&) { return std::make_unique<FlipNode>(params); }

}  // namespace vedette
