// Keeps the outlines that look like what is searched for.
#include <algorithm>

#include "colour_nodes.h"
#include "outline.h"

namespace vedette {

namespace {

struct Between {
  double least, most;
  bool holds(double value) const { return value >= least && value <= most; }
};

struct Limits {
  Between area_share, ratio, fullness, x_px, y_px;
  double speckle_share;

  explicit Limits(const Params& params)
      : area_share(read(params, "area_share_min", "area_share_max")),
        ratio(read(params, "ratio_min", "ratio_max")),
        fullness(read(params, "fullness_min", "fullness_max")),
        x_px(read(params, "x_min_px", "x_max_px")),
        y_px(read(params, "y_min_px", "y_max_px")),
        speckle_share(params.number("speckle_share")) {}

  static Between read(const Params& params, const char* least, const char* most) {
    return {params.number(least), params.number(most)};
  }
};

class ContourFilterNode : public Node {
 public:
  explicit ContourFilterNode(const Params& params) : limits_(params) {}

  void set_params(const Params& params) override { limits_ = Limits(params); }

  void process(const Moment& moment, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Contours& out = ports.out<Contours>();
    out.clear();
    const double picture_px = static_cast<double>(moment.frame.width) * moment.frame.height;
    double sum_px = 0;
    for (const Contour& row : contours.rows) sum_px += row.area_px;
    const double min_px =
        contours.rows.empty() ? 0 : limits_.speckle_share * sum_px / static_cast<double>(contours.rows.size());
    for (const Contour& row : contours.rows)
      if (row.area_px >= min_px && fits(row, picture_px)) add_copy(contours, row, out);
  }

 private:
  bool fits(const Contour& row, double picture_px) const {
    const Sides sides = sides_of(row.rect);
    const double fullness = std::min(1.0, row.area_px / (sides.width * sides.height));
    return limits_.area_share.holds(row.area_px / picture_px) && limits_.ratio.holds(sides.width / sides.height) &&
           limits_.fullness.holds(fullness) && limits_.x_px.holds(row.center[0]) && limits_.y_px.holds(row.center[1]);
  }

  Limits limits_;
};

}  // namespace

std::unique_ptr<Node> make_contour_filter_node(const Params& params, const Scene&) {
  return std::make_unique<ContourFilterNode>(params);
}

}  // namespace vedette
