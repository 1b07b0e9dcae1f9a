// The outer outlines of what a mask shows, the largest first, with what they enclose: all pixels within, holes
// included.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "colour_nodes.h"
#include "outline.h"
#include "views.h"

namespace vedette {

namespace {

/** Beside a picture, but not infinitely so: what measures outlines multiplies their coordinates, as floats. */
constexpr double FARTHEST_PX = 1e6;

/** Snow in a large picture has a million; their memory is given back. */
constexpr size_t MAX_KEPT_OUTLINES = 20'000;

/** Whole pixels within an outline, and their centre in pixels of the image. */
struct Region {
  double count = 0, x = 0, y = 0;
};

/**
 * By Pick's theorem: a polygon of area A through the centres of B pixels has A + B/2 + 1 pixels on it and within. That
 * centre of its area is moved towards that of its outline by as much as half a pixel all around weighs.
 */
Region region_of(const std::vector<cv::Point>& outline) {
  const cv::Point origin = outline[0];
  double twice = 0, ax = 0, ay = 0, along = 0, bx = 0, by = 0;
  cv::Point a(0, 0);
  for (size_t i = 1; i <= outline.size(); i++) {
    const cv::Point b = i < outline.size() ? outline[i] - origin : cv::Point(0, 0);
    const double cross = static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y,
                 steps = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y));
    twice += cross;
    ax += cross * (a.x + b.x);
    ay += cross * (a.y + b.y);
    along += steps;
    bx += steps * (a.x + b.x);
    by += steps * (a.y + b.y);
    a = b;
  }
  // Each step weighs as half a pixel; the sums have both ends of a step, and twice the area's sign in them.
  const double sign = twice < 0 ? -1 : 1, count = sign * twice / 2 + along / 2 + 1, inner = count - 1;
  Region out{count, origin.x + 0.5, origin.y + 0.5};
  if (inner > 0) {
    out.x += (sign * ax / 6 + bx / 4) / inner;
    out.y += (sign * ay / 6 + by / 4) / inner;
  }
  return out;
}

class ContoursNode : public Node {
 public:
  explicit ContoursNode(const Params& params) : min_area_px_(params.number("min_area_px")) {}

  void set_params(const Params& params) override { min_area_px_ = params.number("min_area_px"); }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Contours& out = ports.out<Contours>();
    out.clear();
    if (image.is_empty()) return;
    cv::findContours(view_of(image), outlines_, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);

    found_.clear();
    for (size_t i = 0; i < outlines_.size(); i++) {
      const Region region = region_of(outlines_[i]);
      const double scale = image.to_source.scale_at(region.x, region.y);
      const double area_px = region.count * scale * scale;
      if (area_px >= min_area_px_) found_.push_back({region, i, area_px, scale});
    }
    const size_t count = std::min(found_.size(), MAX_CONTOURS);
    std::partial_sort(found_.begin(), found_.begin() + count, found_.end(), [](const Found& a, const Found& b) {
      return a.area_px != b.area_px ? a.area_px > b.area_px : a.outline < b.outline;
    });
    for (size_t i = 0; i < count; i++) add(found_[i], image, out);
    if (outlines_.size() > MAX_KEPT_OUTLINES) std::vector<std::vector<cv::Point>>().swap(outlines_);
  }

 private:
  struct Found {
    Region region;
    size_t outline;
    double area_px, scale;
  };

  /** One that a straightened image shows up to its horizon has no place in the source, and is left out. */
  void add(const Found& found, const Image& image, Contours& out) const {
    const std::vector<cv::Point>& outline = outlines_[found.outline];
    if (out.points.size() + outline.size() > MAX_CONTOUR_POINTS) return;
    Contour row;
    row.area_px = found.area_px;
    row.center[0] = found.region.x;
    row.center[1] = found.region.y;
    if (!image.to_source.apply(row.center[0], row.center[1])) return;
    row.first = out.points.size();
    row.count = outline.size();
    row.inset_px = found.scale / 2;
    for (const cv::Point& point : outline) {
      double x = point.x + 0.5, y = point.y + 0.5;
      if (!image.to_source.apply(x, y) || !(std::abs(x) < FARTHEST_PX && std::abs(y) < FARTHEST_PX))
        return out.points.resize(row.first);
      out.points.push_back({static_cast<float>(x), static_cast<float>(y)});
    }
    measure_extent(out, row);
    out.rows.push_back(row);
  }

  double min_area_px_;
  std::vector<std::vector<cv::Point>> outlines_;
  std::vector<Found> found_;
};

}  // namespace

std::unique_ptr<Node> make_contours_node(const Params& params, const Scene&) {
  return std::make_unique<ContoursNode>(params);
}

}  // namespace vedette
