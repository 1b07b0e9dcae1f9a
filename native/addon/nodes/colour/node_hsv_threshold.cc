// A mask of the pixels whose hue, saturation and value lie in a range. Hue is a circle: a range whose beginning lies
// behind its end goes through red.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "colour_nodes.h"
#include "views.h"

namespace vedette {

namespace {

/** OpenCV's hue in a byte: 180 steps of two degrees. */
constexpr double DEGREES_PER_STEP = 2;
constexpr int LAST_HUE = 179;

int hue_step(double step) { return static_cast<int>(std::clamp(step, -1.0, LAST_HUE + 1.0)); }

struct Range {
  int hue_min, hue_max, saturation_min, saturation_max, value_min, value_max;
  bool goes_through_red;

  explicit Range(const Params& params)
      : hue_min(hue_step(std::ceil(params.number("hue_min_deg") / DEGREES_PER_STEP))),
        hue_max(hue_step(std::floor(params.number("hue_max_deg") / DEGREES_PER_STEP))),
        saturation_min(params.integer("saturation_min")),
        saturation_max(params.integer("saturation_max")),
        value_min(params.integer("value_min")),
        value_max(params.integer("value_max")),
        goes_through_red(params.number("hue_min_deg") > params.number("hue_max_deg")) {}
};

class HsvThresholdNode : public Node {
 public:
  explicit HsvThresholdNode(const Params& params) : range_(params) {}

  void set_params(const Params& params) override { range_ = Range(params); }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    if (image.is_empty()) {
      out = image;
      out.format = ImageFormat::mask;
      return;
    }
    cv::cvtColor(view_of(image), hsv_, cv::COLOR_BGR2HSV);
    if (range_.goes_through_red) {
      keep(range_.hue_min, LAST_HUE, mask_);
      keep(0, range_.hue_max, other_side_);
      cv::bitwise_or(mask_, other_side_, mask_);
    } else {
      keep(range_.hue_min, range_.hue_max, mask_);
    }
    out = image_of(mask_, ImageFormat::mask, image.to_source);
  }

 private:
  void keep(int hue_min, int hue_max, cv::Mat& mask) const {
    cv::inRange(hsv_, cv::Scalar(hue_min, range_.saturation_min, range_.value_min),
                cv::Scalar(hue_max, range_.saturation_max, range_.value_max), mask);
  }

  Range range_;
  cv::Mat hsv_, mask_, other_side_;
};

}  // namespace

std::unique_ptr<Node> make_hsv_threshold_node(const Params& params, const Scene&) {
  return std::make_unique<HsvThresholdNode>(params);
}

}  // namespace vedette
