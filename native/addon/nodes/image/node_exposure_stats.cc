// How bright a picture is, from all its pixels.
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "views.h"

namespace vedette {

namespace {

using Histogram = std::array<uint32_t, 256>;

/** Four at once: the same level in a row, as in dark and in bright parts, would wait for itself. */
void count_levels(const cv::Mat& gray, Histogram& out) {
  Histogram quarters[4] = {};
  for (int y = 0; y < gray.rows; y++) {
    const uint8_t* row = gray.ptr(y);
    int x = 0;
    for (; x + 4 <= gray.cols; x += 4)
      for (int i = 0; i < 4; i++) quarters[i][row[x + i]]++;
    for (; x < gray.cols; x++) quarters[0][row[x]]++;
  }
  for (size_t level = 0; level < out.size(); level++)
    out[level] = quarters[0][level] + quarters[1][level] + quarters[2][level] + quarters[3][level];
}

class ExposureStatsNode : public Node {
 public:
  explicit ExposureStatsNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const int dark = params.integer("dark_level"), bright = params.integer("bright_level");
    dark_ = dark;
    bright_ = bright;
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Exposures& out = ports.out<Exposures>();
    out.clear();
    if (image.is_empty()) return;
    count_levels(gray_of(image), histogram_);
    out.push_back(measured(static_cast<double>(image.width) * image.height));
  }

 private:
  cv::Mat gray_of(const Image& image) {
    if (image.format != ImageFormat::colour) return view_of(image);
    cv::cvtColor(view_of(image), gray_, cv::COLOR_BGR2GRAY);
    return gray_;
  }

  Exposure measured(double pixels) const {
    double sum = 0, dark = 0, bright = 0;
    for (int level = 0; level < 256; level++) {
      const double count = histogram_[level];
      sum += level * count;
      if (level <= dark_) dark += count;
      if (level >= bright_) bright += count;
    }
    return {sum / pixels,  level_at(0.5 * pixels), level_at(0.05 * pixels), level_at(0.95 * pixels),
            dark / pixels, bright / pixels};
  }

  /** The lowest level at or below which there are so many pixels. */
  double level_at(double pixels) const {
    double count = 0;
    for (int level = 0; level < 255; level++)
      if ((count += histogram_[level]) >= pixels) return level;
    return 255;
  }

  int dark_ = 0, bright_ = 255;
  Histogram histogram_{};
  cv::Mat gray_;
};

}  // namespace

std::unique_ptr<Node> make_exposure_stats_node(const Params& params, const Scene&) {
  return std::make_unique<ExposureStatsNode>(params);
}

}  // namespace vedette
