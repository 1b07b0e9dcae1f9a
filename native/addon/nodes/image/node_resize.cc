// The picture at another size, without regard to its aspect.
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "picture_node.h"

namespace vedette {

namespace {

constexpr int MAX_SIDE = 8192;

class ResizeNode : public PictureNode {
 public:
  ResizeNode(int width, int height) : width_(width), height_(height) {}

 protected:
  Image changed(const Image& image) override {
    const bool shrinks = width_ <= image.width && height_ <= image.height;
    cv::resize(view_of(image), pixels_, {width_, height_}, 0, 0, interpolation(image.format, shrinks));
    return image_of(pixels_, image.format,
                    image.to_source.scaled(static_cast<double>(image.width) / width_,
                                           static_cast<double>(image.height) / height_, 0, 0));
  }

 private:
  /** Between 0 and 255 there is nothing in a mask. */
  static int interpolation(ImageFormat format, bool shrinks) {
    if (format == ImageFormat::mask) return cv::INTER_NEAREST;
    return shrinks ? cv::INTER_AREA : cv::INTER_LINEAR;
  }

  const int width_, height_;
};

}  // namespace

std::unique_ptr<Node> make_resize_node(const Params& params, const Scene&) {
  const int width = params.integer("width_px"), height = params.integer("height_px");
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw Fault{"engine.bad_task",
                "resize to " + std::to_string(width) + "x" + std::to_string(height) + " is not possible"};
  return std::make_unique<ResizeNode>(width, height);
}

}  // namespace vedette
