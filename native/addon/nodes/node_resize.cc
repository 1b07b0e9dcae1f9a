// The picture at another size, without regard to its aspect.
#include <opencv2/imgproc.hpp>

#include "node.h"

namespace vedette {

namespace {

constexpr int MOST_SIDE = 8192;

class ResizeNode : public Node {
 public:
  ResizeNode(int width, int height) : width_(width), height_(height) {}

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    if (image.width == 0 || image.height == 0) {
      out = image;
      return;
    }
    pixels_.resize(width_, height_);
    const cv::Mat from(image.height, image.width, CV_8U, const_cast<uint8_t*>(image.pixels), image.stride);
    cv::Mat to(height_, width_, CV_8U, pixels_.pixels.data(), pixels_.stride);
    const bool shrinks = width_ <= image.width && height_ <= image.height;
    cv::resize(from, to, to.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);

    out = {pixels_.pixels.data(), width_, height_, pixels_.stride};
    out.scale_x = image.scale_x * image.width / width_;
    out.scale_y = image.scale_y * image.height / height_;
    out.offset_x = image.offset_x;
    out.offset_y = image.offset_y;
  }

 private:
  const int width_, height_;
  GrayImage pixels_;
};

}  // namespace

std::unique_ptr<Node> make_resize_node(const Params& params, const Scene&) {
  const int width = params.integer("width_px"), height = params.integer("height_px");
  if (width < 1 || height < 1 || width > MOST_SIDE || height > MOST_SIDE)
    throw Fault{"engine.bad_task", "resize to " + std::to_string(width) + "x" + std::to_string(height) + " is not possible"};
  return std::make_unique<ResizeNode>(width, height);
}

}  // namespace vedette
