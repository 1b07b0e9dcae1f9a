// Makes what a mask shows thinner or thicker: away with specks, closed with gaps.
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "colour_nodes.h"
#include "views.h"

namespace vedette {

namespace {

constexpr int MAX_RADIUS_PX = 15, MAX_ITERATIONS = 10;

enum class Step { erode, dilate };

std::vector<Step> steps_of(const std::string& operation) {
  if (operation == "erode") return {Step::erode};
  if (operation == "dilate") return {Step::dilate};
  if (operation == "open") return {Step::erode, Step::dilate};
  if (operation == "close") return {Step::dilate, Step::erode};
  throw Fault{"engine.bad_task", "there is no operation " + operation + " of masks"};
}

int shape_of(const std::string& shape) {
  if (shape == "rectangle") return cv::MORPH_RECT;
  if (shape == "ellipse") return cv::MORPH_ELLIPSE;
  if (shape == "cross") return cv::MORPH_CROSS;
  throw Fault{"engine.bad_task", "there is no shape " + shape + " for operations of masks"};
}

class MorphologyNode : public Node {
 public:
  explicit MorphologyNode(const Params& params)
      : steps_(steps_of(params.string("operation"))),
        iterations_(std::clamp(params.integer("iterations"), 1, MAX_ITERATIONS)) {
    const int side = 2 * std::clamp(params.integer("radius_px"), 1, MAX_RADIUS_PX) + 1;
    kernel_ = cv::getStructuringElement(shape_of(params.string("shape")), {side, side});
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    out = image;
    if (image.is_empty()) return;
    for (size_t i = 0; i < steps_.size(); i++) {
      const cv::Mat from = view_of(out);
      if (steps_[i] == Step::erode) cv::erode(from, masks_[i], kernel_, {-1, -1}, iterations_);
      else cv::dilate(from, masks_[i], kernel_, {-1, -1}, iterations_);
      out = image_of(masks_[i], ImageFormat::mask, image.to_source);
    }
  }

 private:
  const std::vector<Step> steps_;
  const int iterations_;
  cv::Mat kernel_, masks_[2];
};

}  // namespace

std::unique_ptr<Node> make_morphology_node(const Params& params, const Scene&) {
  return std::make_unique<MorphologyNode>(params);
}

}  // namespace vedette
