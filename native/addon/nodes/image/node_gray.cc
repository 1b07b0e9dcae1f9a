// Grey from whatever comes. Grey pixels pass by untouched, and so does a mask.
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "views.h"

namespace vedette {

namespace {

class GrayNode : public Node {
 public:
  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    if (image.format != ImageFormat::colour || image.is_empty()) {
      out = image;
      out.format = ImageFormat::gray;
      return;
    }
    cv::cvtColor(view_of(image), gray_, cv::COLOR_BGR2GRAY);
    out = image_of(gray_, ImageFormat::gray, image.to_source);
  }

 private:
  cv::Mat gray_;
};

}  // namespace

std::unique_ptr<Node> make_gray_node(const Params&, const Scene&) { return std::make_unique<GrayNode>(); }

}  // namespace vedette
