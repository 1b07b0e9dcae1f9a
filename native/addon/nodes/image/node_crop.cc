// A part of the picture, without copying a pixel. What lies outside the picture is left out; a part wholly outside is
// an empty picture.
#include <algorithm>

#include "image_nodes.h"

namespace vedette {

namespace {

class CropNode : public Node {
 public:
  CropNode(int x, int y, int width, int height) : x_(x), y_(y), width_(width), height_(height) {}

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    const int left = std::clamp(x_, 0, image.width), right = std::clamp(x_ + width_, left, image.width);
    const int top = std::clamp(y_, 0, image.height), bottom = std::clamp(y_ + height_, top, image.height);

    Image out = image;
    out.pixels = image.pixels + static_cast<size_t>(top) * image.stride + left * image.channels();
    out.width = right - left;
    out.height = bottom - top;
    out.to_source = image.to_source.scaled(1, 1, left, top);
    ports.out<Image>() = out;
  }

 private:
  const int x_, y_, width_, height_;
};

}  // namespace

std::unique_ptr<Node> make_crop_node(const Params& params, const Scene&) {
  const auto side = [&params](const char* name) { return std::clamp(params.integer(name), 0, 65536); };
  return std::make_unique<CropNode>(side("x_px"), side("y_px"), side("width_px"), side("height_px"));
}

}  // namespace vedette
