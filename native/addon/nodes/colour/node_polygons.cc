// Outlines as polygons, and only those with as many corners as are searched for.
#include <algorithm>

#include "colour_nodes.h"
#include "outline.h"
#include "polygon.h"

namespace vedette {

namespace {

struct Wanted {
  double tolerance_share;
  size_t corners_min, corners_max;
  bool convex_only;

  explicit Wanted(const Params& params)
      : tolerance_share(params.number("tolerance_share")),
        corners_min(static_cast<size_t>(std::max(3, params.integer("corners_min")))),
        corners_max(static_cast<size_t>(std::max(0, params.integer("corners_max")))),
        convex_only(params.flag("convex_only")) {}
};

class PolygonsNode : public Node {
 public:
  explicit PolygonsNode(const Params& params) : wanted_(params) {}

  void set_params(const Params& params) override { wanted_ = Wanted(params); }

  void process(const Moment&, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Contours& out = ports.out<Contours>();
    out.clear();
    for (const Contour& row : contours.rows) {
      const std::vector<cv::Point2d>& corners =
          fitter_.fit(contours, row, wanted_.tolerance_share, wanted_.corners_min, wanted_.corners_max);
      if (corners.empty() || (wanted_.convex_only && !is_convex(corners))) continue;
      if (out.points.size() + corners.size() > MAX_CONTOUR_POINTS) continue;
      Contour polygon;
      polygon.first = out.points.size();
      polygon.count = corners.size();
      for (const cv::Point2d& corner : corners)
        out.points.push_back({static_cast<float>(corner.x), static_cast<float>(corner.y)});
      measure_polygon(out, polygon);
      measure_extent(out, polygon);
      out.rows.push_back(polygon);
    }
  }

 private:
  /** They go round clockwise: no corner turns the other way. */
  static bool is_convex(const std::vector<cv::Point2d>& corners) {
    for (size_t i = 0; i < corners.size(); i++) {
      const cv::Point2d &a = corners[i], &b = corners[(i + 1) % corners.size()], &c = corners[(i + 2) % corners.size()];
      if ((b - a).cross(c - b) < 0) return false;
    }
    return true;
  }

  Wanted wanted_;
  PolygonFitter fitter_;
};

}  // namespace

std::unique_ptr<Node> make_polygons_node(const Params& params, const Scene&) {
  return std::make_unique<PolygonsNode>(params);
}

}  // namespace vedette
