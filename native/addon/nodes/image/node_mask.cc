// What lies outside of polygons, of a mask, or of both, becomes black: the robot's own bumpers, or the stands behind
// the field.
#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "image_nodes.h"
#include "pixel_map.h"
#include "views.h"

namespace vedette {

namespace {

constexpr int SHIFT = 4;                // OpenCV's fixed-point coordinates: sixteenths of a pixel
constexpr double FARTHEST_PX = 1e5;     // beside a picture; what draws the polygons has whole numbers of 32 bits
constexpr size_t MAX_NUMBERS = 10'000;  // of all polygons; more than can be asked for

class MaskNode : public Node {
 public:
  explicit MaskNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    std::vector<std::vector<double>> polygons = params.rows("polygons");
    const bool is_inverted = params.flag("invert");
    size_t numbers = 0;
    for (const auto& polygon : polygons) {
      numbers += polygon.size();
      if (polygon.size() < 6 || polygon.size() % 2 != 0)
        throw Fault{"engine.bad_task", "a polygon of a mask has at least three points of two coordinates"};
    }
    if (numbers > MAX_NUMBERS) throw Fault{"engine.bad_task", "the polygons of a mask have too many points"};
    polygons_ = std::move(polygons);
    is_inverted_ = is_inverted;
    drawn_.release();
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    const Image* mask = ports.optional_in<Image>(1);
    Image& out = ports.out<Image>();
    if (image.is_empty() || (polygons_.empty() && !mask)) {
      out = image;
      return;
    }
    const cv::Mat inside = inside_of(image, mask), from = view_of(image);
    if (image.channels() == 1) {
      cv::bitwise_and(from, inside, pixels_);
    } else {
      pixels_.create(from.size(), from.type());
      pixels_.setTo(0);
      from.copyTo(pixels_, inside);
    }
    out = image_of(pixels_, image.format, image.to_source);
  }

 private:
  /** 255 where pixels stay. */
  cv::Mat inside_of(const Image& image, const Image* mask) {
    cv::Mat inside = polygons_.empty() ? aligned(image, *mask) : drawn(image);
    if (mask && !polygons_.empty()) {
      cv::bitwise_and(inside, aligned(image, *mask), inside_);
      inside = inside_;
    }
    if (!is_inverted_) return inside;
    cv::bitwise_not(inside, inside_);
    return inside_;
  }

  cv::Mat drawn(const Image& image) {
    if (drawn_.cols == image.width && drawn_.rows == image.height) return drawn_;
    drawn_.create(image.height, image.width, CV_8UC1);
    drawn_.setTo(0);
    for (const auto& polygon : polygons_) {
      points_.clear();
      for (size_t i = 0; i < polygon.size(); i += 2)
        points_.emplace_back(fixed(polygon[i] * image.width), fixed(polygon[i + 1] * image.height));
      // One by one: those that overlap would take away from each other what they share.
      const cv::Point* points = points_.data();
      const int count = static_cast<int>(points_.size());
      cv::fillPoly(drawn_, &points, &count, 1, 255, cv::LINE_8, SHIFT);
    }
    return drawn_;
  }

  static int fixed(double continuous) {
    return cvRound(std::clamp(continuous - 0.5, -FARTHEST_PX, FARTHEST_PX) * (1 << SHIFT));
  }

  /**
   * The mask where the picture's pixels are, by what either says of its place in the source. What it does not show is
   * outside.
   */
  cv::Mat aligned(const Image& image, const Image& mask) {
    if (is_alike(image, mask)) return view_of(mask);
    if (!mapped_ || !is_alike(mapped_->first, image) || !is_alike(mapped_->second, mask)) {
      const FromSource back(mask.to_source);
      map_.compute(image.width, image.height,
                   [&](double& x, double& y) { return image.to_source.apply(x, y) && back.apply(x, y); });
      mapped_ = {image, mask};
    }
    if (mask.is_empty()) {
      aligned_.create(image.height, image.width, CV_8UC1);
      aligned_.setTo(0);
    } else {
      map_.apply(view_of(mask), ImageFormat::mask, aligned_);
    }
    return aligned_;
  }

  static bool is_alike(const Image& a, const Image& b) {
    return a.width == b.width && a.height == b.height && a.to_source == b.to_source;
  }

  std::vector<std::vector<double>> polygons_;
  bool is_inverted_ = false;
  std::vector<cv::Point> points_;
  PixelMap map_;
  std::optional<std::pair<Image, Image>> mapped_;  // for which map_ holds; of their pixels nothing is read
  cv::Mat drawn_, aligned_, inside_, pixels_;
};

}  // namespace

std::unique_ptr<Node> make_mask_node(const Params& params, const Scene&) { return std::make_unique<MaskNode>(params); }

}  // namespace vedette
