// What was found, drawn in colour onto a picture, for people: where it lies in that picture, whatever was done to it.
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "pen.h"
#include "views.h"

namespace vedette {

namespace {

// Blue, green, red.
const cv::Scalar TAGS(0, 230, 0), OUTLINES(255, 200, 0), TARGETS(0, 150, 255), OBJECTS(255, 0, 255),
    CIRCLES(255, 255, 0), CODES(0, 255, 255);

constexpr size_t MAX_LETTERS = 40;  // of a code; more would cover the picture

// Of all outlines of a picture, and of each: a line takes 5 to 10 us. Of what has more points some are left out,
// evenly.
constexpr size_t MAX_POINTS = 5000, MIN_POINTS = 6;

// Of a circle. Where a picture has more than a hundred, each has fewer, so that all together have hardly more than
// MAX_POINTS.
constexpr size_t MAX_SIDES = 48, MIN_SIDES = 8;

class OverlayNode : public Node {
 public:
  explicit OverlayNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const double scale = params.number("scale");
    labels_ = params.flag("labels");
    scale_ = std::clamp(scale, 0.1, 16.0);
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    if (image.is_empty()) {
      out = image;
      out.format = ImageFormat::colour;
      return;
    }
    copy(image);
    Pen pen(pixels_, scale_);
    const FromSource place(image.to_source);
    if (const auto* contours = ports.optional_in<Contours>(2)) draw(*contours, pen, place);
    if (const auto* circles = ports.optional_in<Circles>(5)) draw(*circles, pen, place);
    if (const auto* tags = ports.optional_in<Detections>(1)) draw_each(*tags, pen, place);
    if (const auto* objects = ports.optional_in<Objects>(4)) draw_each(*objects, pen, place);
    if (const auto* codes = ports.optional_in<Barcodes>(6)) draw(*codes, pen, place);
    if (const auto* targets = ports.optional_in<Targets>(3)) draw_each(*targets, pen, place);
    out = image_of(pixels_, ImageFormat::colour, image.to_source);
  }

 private:
  void copy(const Image& image) {
    if (image.format == ImageFormat::colour) view_of(image).copyTo(pixels_);
    else cv::cvtColor(view_of(image), pixels_, cv::COLOR_GRAY2BGR);
  }

  template <typename Rows>
  void draw_each(const Rows& rows, Pen& pen, const FromSource& place) {
    for (const auto& row : rows) draw(row, pen, place);
  }

  void draw(const Detection& tag, Pen& pen, const FromSource& place) {
    if (placed(tag.corners, place)) pen.mark(points_, label(std::to_string(tag.id)), TAGS);
  }

  void draw(const Target& target, Pen& pen, const FromSource& place) {
    if (placed(target.corners, place)) pen.mark(points_, {}, TARGETS);
    cv::Point2d center(target.center[0], target.center[1]);
    if (place.apply(center.x, center.y)) pen.cross(center, TARGETS);
  }

  void draw(const Object& object, Pen& pen, const FromSource& place) {
    const double left = object.center[0] - object.width_px / 2, right = left + object.width_px,
                 top = object.center[1] - object.height_px / 2, bottom = top + object.height_px;
    const double box[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    const auto percent = static_cast<int>(std::lround(std::clamp(object.confidence, 0.0, 1.0) * 100));
    if (placed(box, place))
      pen.mark(points_, label(std::to_string(object.label) + " " + std::to_string(percent) + "%"), OBJECTS);
  }

  void draw(const Circles& circles, Pen& pen, const FromSource& place) {
    const size_t sides = std::clamp(MAX_POINTS / std::max<size_t>(1, circles.size()), MIN_SIDES, MAX_SIDES);
    for (const Circle& circle : circles) draw(circle, static_cast<int>(sides), pen, place);
  }

  void draw(const Circle& circle, int sides, Pen& pen, const FromSource& place) {
    points_.clear();
    for (int i = 0; i < sides; i++) {
      const double angle = 2 * CV_PI * i / sides;
      if (!add(circle.center[0] + circle.radius_px * std::cos(angle),
               circle.center[1] + circle.radius_px * std::sin(angle), place))
        return;
    }
    pen.mark(points_, {}, CIRCLES);
  }

  void draw(const Contours& contours, Pen& pen, const FromSource& place) {
    const double share = std::min(
        1.0, static_cast<double>(MAX_POINTS) / static_cast<double>(std::max<size_t>(1, contours.points.size())));
    for (const Contour& contour : contours.rows) {
      const size_t drawn = std::min(
          contour.count, std::max(MIN_POINTS, static_cast<size_t>(share * static_cast<double>(contour.count))));
      points_.clear();
      bool is_seen = true;
      for (size_t n = 0; is_seen && n < drawn; n++) {
        const Contours::Point& point = contours.points[contour.first + n * contour.count / drawn];
        is_seen = add(point.x, point.y, place);
      }
      if (is_seen) pen.outline(points_, OUTLINES);
    }
  }

  void draw(const Barcodes& codes, Pen& pen, const FromSource& place) {
    for (const Barcode& code : codes.rows)
      if (placed(code.corners, place)) pen.mark(points_, label(beginning_of(codes, code)), CODES);
  }

  /** Whole letters of its text. */
  static std::string beginning_of(const Barcodes& codes, const Barcode& code) {
    // UTF-8
    const auto goes_on = [&](size_t at) {
      return at < code.bytes && (static_cast<uint8_t>(codes.text[code.at + at]) & 0xC0) == 0x80;
    };
    size_t bytes = std::min(code.bytes, MAX_LETTERS);
    while (bytes > 0 && goes_on(bytes)) bytes--;
    return codes.text.substr(code.at, bytes);
  }

  std::string label(std::string text) const { return labels_ ? std::move(text) : std::string(); }

  /** False where it cannot be seen. */
  bool add(double x, double y, const FromSource& place) {
    if (!place.apply(x, y)) return false;
    points_.emplace_back(x, y);
    return true;
  }

  bool placed(const double (&corners)[4][2], const FromSource& place) {
    points_.clear();
    for (const auto& corner : corners)
      if (!add(corner[0], corner[1], place)) return false;
    return true;
  }

  double scale_ = 1;
  bool labels_ = true;
  std::vector<cv::Point2d> points_;
  cv::Mat pixels_;
};

}  // namespace

std::unique_ptr<Node> make_overlay_node(const Params& params, const Scene&) {
  return std::make_unique<OverlayNode>(params);
}

}  // namespace vedette
