// Corners of tags from pixels to the ideal image plane. Without intrinsics of the picture's own size there are none: no
// poses are better than wrong ones. Each tag says why it has none.
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "tag_nodes.h"

namespace vedette {

namespace {

// The model is inverted by iteration, which can settle on nonsense far outside the part of the picture that was
// calibrated.
constexpr double MAX_ERROR_PX = 0.5;

class UndistortPointsNode : public Node {
 public:
  explicit UndistortPointsNode(const Intrinsics& camera) : camera_(camera), distortion_(camera.distortion) {
    matrix_ = {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1};
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Detections& detections = ports.in<Detections>(0);
    Points& out = ports.out<Points>();
    out.clear();
    const bool fits = camera_.known && camera_.width == moment.frame.width && camera_.height == moment.frame.height;
    for (const Detection& tag : detections)
      out.push_back({tag.family, tag.id, tag.sigma_px, {}, fits ? NoPose::none : NoPose::uncalibrated});
    if (!fits || detections.empty()) return;

    pixels_.clear();
    for (const Detection& detection : detections)
      for (const auto& corner : detection.corners) pixels_.emplace_back(corner[0] - 0.5, corner[1] - 0.5);
    const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 1e-9);
    cv::undistortPoints(pixels_, ideal_, matrix_, distortion_, cv::noArray(), cv::noArray(), criteria);
    project_back();

    for (size_t i = 0; i < detections.size(); i++) {
      bool usable = true;
      for (size_t k = 0; k < 4; k++) {
        const bool is_back = cv::norm(back_[4 * i + k] - pixels_[4 * i + k]) < MAX_ERROR_PX;  // false for NaN
        usable = usable && is_back;
      }
      for (size_t k = 0; usable && k < 4; k++) {
        out[i].corners[k][0] = ideal_[4 * i + k].x;
        out[i].corners[k][1] = ideal_[4 * i + k].y;
      }
      if (!usable) out[i].no_pose = NoPose::beyond_lens;
    }
  }

 private:
  void project_back() {
    rays_.clear();
    for (const cv::Point2d& point : ideal_) rays_.emplace_back(point.x, point.y, 1);
    cv::projectPoints(rays_, cv::Vec3d(), cv::Vec3d(), matrix_, distortion_, back_);
  }

  const Intrinsics camera_;
  cv::Matx33d matrix_;
  const std::vector<double> distortion_;
  std::vector<cv::Point2d> pixels_, ideal_, back_;
  std::vector<cv::Point3d> rays_;
};

}  // namespace

std::unique_ptr<Node> make_undistort_points_node(const Params&, const Scene& scene) {
  return std::make_unique<UndistortPointsNode>(scene.intrinsics);
}

}  // namespace vedette
