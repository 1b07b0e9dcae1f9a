// The picture made softer. A mask stays one: what is left of it is where more than half was in it.
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "picture_node.h"

namespace vedette {

namespace {

constexpr int MAX_RADIUS = 64;  // wider than any that can be asked for; bounds the time of a picture

class BlurNode : public PictureNode {
 public:
  explicit BlurNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const std::string method = params.string("method");
    const int radius = params.integer("radius_px");
    if (method != "gaussian" && method != "median" && method != "box")
      throw Fault{"engine.bad_task", "there is no blur of the method " + method};
    method_ = method;
    side_ = 2 * std::clamp(radius, 1, MAX_RADIUS) + 1;
  }

 protected:
  Image changed(const Image& image) override {
    blur(view_of(image));
    if (image.format == ImageFormat::mask && method_ != "median")
      cv::threshold(pixels_, pixels_, 127, 255, cv::THRESH_BINARY);
    return image_of(pixels_, image.format, image.to_source);
  }

 private:
  void blur(const cv::Mat& from) {
    if (method_ == "median") return cv::medianBlur(from, pixels_, side_);
    if (method_ == "box") return cv::blur(from, pixels_, {side_, side_}, {-1, -1}, cv::BORDER_REPLICATE);
    cv::GaussianBlur(from, pixels_, {side_, side_}, 0, 0, cv::BORDER_REPLICATE);
  }

  std::string method_;
  int side_ = 3;
};

}  // namespace

std::unique_ptr<Node> make_blur_node(const Params& params, const Scene&) { return std::make_unique<BlurNode>(params); }

}  // namespace vedette
