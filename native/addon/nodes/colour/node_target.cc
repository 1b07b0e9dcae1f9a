// What robots aim at: in which direction each outline lies, how large it is, and where in space, when its shape is
// known.
#include <algorithm>

#include "colour_nodes.h"
#include "ideal_points.h"
#include "model_pose.h"
#include "outline.h"
#include "polygon.h"

namespace vedette {

namespace {

/** Of the first ones alone: all turns of a model take their time. */
constexpr size_t MAX_POSES = 10;

enum class Aim { centre, top, bottom, left, right };

Aim aim_of(const std::string& name) {
  if (name == "centre") return Aim::centre;
  if (name == "top") return Aim::top;
  if (name == "bottom") return Aim::bottom;
  if (name == "left") return Aim::left;
  if (name == "right") return Aim::right;
  throw Fault{"engine.bad_task", "there is no point " + name + " of a target"};
}

/** Puts the middle of the outermost side of its rectangle, or its centre, into `at`. */
void find_point(const Contour& row, Aim aim, double (&at)[2]) {
  std::copy(row.center, row.center + 2, at);
  if (aim == Aim::centre) return;
  const int axis = aim == Aim::left || aim == Aim::right ? 0 : 1;
  const double sign = aim == Aim::left || aim == Aim::top ? 1 : -1;
  for (int i = 0; i < 4; i++) {
    const auto &a = row.rect[i], &b = row.rect[(i + 1) % 4];
    const double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
    if (i == 0 || sign * middle[axis] < sign * at[axis]) std::copy(middle, middle + 2, at);
  }
}

class TargetNode : public Node {
 public:
  TargetNode(const Params& params, const Intrinsics& camera)
      : aim_(aim_of(params.string("point"))),
        model_(params.numbers("model_points_m")),
        tolerance_share_(params.number("tolerance_share")),
        ideal_(camera) {}

  void set_params(const Params& params) override {
    const double tolerance_share = params.number("tolerance_share");
    aim_ = aim_of(params.string("point"));
    tolerance_share_ = tolerance_share;
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Targets& out = ports.out<Targets>();
    out.clear();
    const double picture_px = static_cast<double>(moment.frame.width) * moment.frame.height;
    for (const Contour& row : contours.rows) {
      Target target;
      find_point(row, aim_, target.center);
      target.area_share = picture_px > 0 ? std::min(1.0, row.area_px / picture_px) : 0;
      target.skew_deg = sides_of(row.rect).skew_deg;
      target.width_px = row.width_px;
      target.height_px = row.height_px;
      std::copy(&row.rect[0][0], &row.rect[0][0] + 8, &target.corners[0][0]);
      out.push_back(target);
    }
    if (!ideal_.know(moment.frame)) return;
    if (model_.corner_count() > 0)
      for (size_t i = 0; i < std::min(out.size(), MAX_POSES); i++) place(contours, contours.rows[i], out[i]);
    set_directions(out, ideal_);
  }

 private:
  void place(const Contours& contours, const Contour& row, Target& target) {
    const std::vector<cv::Point2d>& corners =
        fitter_.fit(contours, row, tolerance_share_, model_.corner_count(), model_.corner_count());
    if (corners.empty()) return;
    ideal_.clear();
    for (const cv::Point2d& corner : corners) ideal_.add(corner.x, corner.y);
    target.has_pose = model_.solve(ideal_.solve(), ideal_.camera(), target.camera_target, target.error_px);
  }

  Aim aim_;
  ModelPose model_;
  double tolerance_share_;
  IdealPoints ideal_;
  PolygonFitter fitter_;
};

}  // namespace

std::unique_ptr<Node> make_target_node(const Params& params, const Scene& scene) {
  return std::make_unique<TargetNode>(params, scene.intrinsics);
}

}  // namespace vedette
