// Outlines that follow a circle, as circles; and the outlines themselves, to be aimed at.
#include "circle_fit.h"
#include "colour_nodes.h"
#include "outline.h"

namespace vedette {

namespace {

struct Wanted {
  double radius_min_px, radius_max_px;
  Roundness roundness;

  explicit Wanted(const Params& params)
      : radius_min_px(params.number("radius_min_px")),
        radius_max_px(params.number("radius_max_px")),
        roundness{params.number("tolerance"), params.number("arc_min")} {}
};

class CirclesNode : public Node {
 public:
  explicit CirclesNode(const Params& params) : wanted_(params) {}

  void set_params(const Params& params) override { wanted_ = Wanted(params); }

  void process(const Moment&, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Circles& circles = ports.out<Circles>();
    Contours* round = ports.optional_out<Contours>(1);
    circles.clear();
    if (round) round->clear();
    for (const Contour& row : contours.rows) {
      Circle circle;
      if (!fitter_.fit(contours, row, wanted_.roundness, circle)) continue;
      if (circle.radius_px < wanted_.radius_min_px || circle.radius_px > wanted_.radius_max_px) continue;
      circles.push_back(circle);
      if (round) add_copy(contours, row, *round);
    }
  }

 private:
  Wanted wanted_;
  CircleFitter fitter_;
};

}  // namespace

std::unique_ptr<Node> make_circles_node(const Params& params, const Scene&) {
  return std::make_unique<CirclesNode>(params);
}

}  // namespace vedette
