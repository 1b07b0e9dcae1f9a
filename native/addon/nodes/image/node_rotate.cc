// The picture turned by a quarter, a half or three quarters of a turn, clockwise as seen. Pixels are moved, never
// computed.
#include <opencv2/core.hpp>

#include "image_nodes.h"
#include "picture_node.h"

namespace vedette {

namespace {

class RotateNode : public PictureNode {
 public:
  explicit RotateNode(int quarters) : quarters_(quarters) {}

 protected:
  Image changed(const Image& image) override {
    cv::rotate(view_of(image), pixels_, quarters_ - 1);  // OpenCV counts from a quarter on
    return image_of(pixels_, image.format, image.to_source.after(back(image.width, image.height)));
  }

 private:
  /** From places in the turned picture to those in the one it was. */
  std::array<double, 9> back(double width, double height) const {
    if (quarters_ == 1) return {0, 1, 0, -1, 0, height, 0, 0, 1};
    if (quarters_ == 2) return {-1, 0, width, 0, -1, height, 0, 0, 1};
    return {0, -1, width, 1, 0, 0, 0, 0, 1};
  }

  const int quarters_;
};

}  // namespace

std::unique_ptr<Node> make_rotate_node(const Params& params, const Scene&) {
  const int degrees = params.integer("angle_deg");
  if (degrees != 90 && degrees != 180 && degrees != 270)
    throw Fault{"engine.bad_task", "a picture cannot be turned by " + std::to_string(degrees) + " degrees"};
  return std::make_unique<RotateNode>(degrees / 90);
}

}  // namespace vedette
