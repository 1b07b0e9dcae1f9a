// Poses of tags and of flat targets in thousands of views in which what is solved nearly comes apart: square to the
// camera, on the axes of the picture, turned by halves and quarters, from near to far and tiny; and why there is none.
#include <opencv2/calib3d.hpp>

#include "model_pose.h"
#include "one_node.h"
#include "square.h"

namespace vedette::test {
namespace {

const Intrinsics CAMERA{true, 640, 480, 500, 500, 319.5, 239.5, {}};
constexpr double TAG_M = 0.165;

constexpr double TILTS[] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.3, CV_PI / 4, 1.3};
constexpr double TURNS[] = {0, 1e-12, 1e-6, 0.1, CV_PI / 4, CV_PI / 2, 2.1, CV_PI, -CV_PI / 2};
constexpr double ASIDE[] = {0, 1e-16, 1e-9, 1e-3, 0.3};
constexpr double AWAY_M[] = {0.25, 1, 8, 60};

cv::Matx33d rotation_about(double x, double y, double z) {
  cv::Matx33d about_x, about_y, about_z;
  cv::Rodrigues(cv::Vec3d(x, 0, 0), about_x);
  cv::Rodrigues(cv::Vec3d(0, y, 0), about_y);
  cv::Rodrigues(cv::Vec3d(0, 0, z), about_z);
  return about_x * about_y * about_z;
}

/** In every combination of tilts, turns and places. */
template <typename Visit>
void visit_views(Visit visit) {
  for (const double away : AWAY_M)
    for (const double right : ASIDE)
      for (const double down : ASIDE)
        for (const double about_x : TILTS)
          for (const double about_y : TILTS)
            for (const double turned : TURNS)
              visit(rotation_about(about_x, about_y, turned), cv::Vec3d(right * away, down * away, away));
}

/** Where the corners of a tag are seen; what is edge-on, so that no detector finds it, has hardly any area. */
struct Seen {
  TagPoints tag{0, 1, 0.1, {}};
  double area_px2 = 0;
  bool is_in_front = true;

  Seen(const cv::Matx33d& rotation, const cv::Vec3d& place) {
    const std::array<Vec3, 4> corners = square_corners(TAG_M);
    for (int i = 0; i < 4; i++) {
      const cv::Vec3d at = rotation * cv::Vec3d(corners[i][0], corners[i][1], 0) + place;
      is_in_front = is_in_front && at[2] > 0.05;
      for (int axis = 0; axis < 2; axis++) tag.corners[i][axis] = at[axis] / at[2];
    }
    for (int i = 0; i < 4; i++) {
      const auto &a = tag.corners[i], &b = tag.corners[(i + 1) % 4];
      area_px2 += CAMERA.fx * CAMERA.fy * (b[0] * a[1] - a[0] * b[1]) / 2;
    }
  }
};

OneNode pose_node() { return OneNode("tag-pose", {{"tag_size_m", TAG_M}}, {CAMERA, {}}); }

double distance_of(const Pose& pose, const cv::Vec3d& place) {
  return std::hypot(std::hypot(pose.x - place[0], pose.y - place[1]), pose.z - place[2]);
}

const Suite suite([] {
  test("a tag that is seen in any way has the pose that explains it", [] {
    OneNode node = pose_node();
    int views = 0;
    double max_px = 0;
    visit_views([&](const cv::Matx33d& rotation, const cv::Vec3d& place) {
      const Seen seen(rotation, place);
      if (!seen.is_in_front || seen.area_px2 < 0.1) return;
      const Value points = Points{seen.tag};
      node.run({&points});
      const TagPose& pose = node.out<TagPoses>().at(0);
      const std::string view = text("view %d, %g m away, area %g", views++, place[2], seen.area_px2);
      expect(pose.no_pose == NoPose::none, view + ": there is no pose");
      expect(pose.error_px < 1e-3, view + text(": the pose is %g px off", pose.error_px));
      const double off_m = std::min(distance_of(pose.camera_tag, place), distance_of(pose.alt_camera_tag, place));
      expect(off_m < 1e-4 * place[2], view + text(": the place is %g m off", off_m));
      max_px = std::max(max_px, pose.error_px);
    });
    expect(views > 10'000, text("%d views", views));
    return text("%d views, at most %.2g px off", views, max_px);
  });

  test("corners in whole pixels and corners with noise have a pose in all these views, too", [] {
    OneNode node = pose_node();
    cv::RNG random(3);
    int views = 0;
    visit_views([&](const cv::Matx33d& rotation, const cv::Vec3d& place) {
      Seen seen(rotation, place);
      if (!seen.is_in_front || seen.area_px2 < 20) return;
      for (auto& corner : seen.tag.corners)
        for (double& at : corner)
          at = views % 2 == 0 ? std::round(at * CAMERA.fx) / CAMERA.fx : at + random.gaussian(0.1) / CAMERA.fx;
      const Value points = Points{seen.tag};
      node.run({&points});
      const TagPose& pose = node.out<TagPoses>().at(0);
      // Noise looks like a tilt, which the closed form does not weigh against the corners: more so near the camera.
      const double max_px = 1.5 + 0.03 * std::sqrt(seen.area_px2);
      expect(pose.no_pose == NoPose::none && pose.error_px < max_px, text("view %d: %g px off", views, pose.error_px));
      views++;
    });
    return text("%d views", views);
  });

  test("a flat target that is seen in any way has a pose that explains it", [] {
    const std::vector<double> corners{-0.2, -0.1, 0, 0.2, -0.1, 0, 0.2, 0.1, 0, -0.2, 0.1, 0};
    ModelPose model(corners);
    int views = 0;
    visit_views([&](const cv::Matx33d& rotation, const cv::Vec3d& place) {
      if (views++ % 4 != 0) return;
      std::vector<IdealPoints::Point> seen;
      bool is_in_front = true;
      for (size_t i = 0; i < corners.size(); i += 3) {
        const cv::Vec3d at = rotation * cv::Vec3d(corners[i], corners[i + 1], 0) + place;
        is_in_front = is_in_front && at[2] > 0.05;
        seen.push_back({at[0] / at[2], at[1] / at[2], true});
      }
      Pose pose;
      double error_px = 0;
      if (!is_in_front) return;
      expect(model.solve(seen, CAMERA, pose, error_px), text("view %d: there is no pose", views));
      // Of turns that fit alike the upright one is taken.
      expect(error_px <= 0.51, text("view %d: the pose is %g px off", views, error_px));
    });
    return text("%d views", views / 4);
  });

  test("each tag that is found says why it has no pose", [] {
    Frame frame;
    frame.width = CAMERA.width, frame.height = CAMERA.height;
    Detections tags(2);
    const double upright[4][2] = {{100, 140}, {140, 140}, {140, 100}, {100, 100}};
    const double line[4][2] = {{100, 100}, {110, 100}, {120, 100}, {130, 100}};
    tags[0].id = 1, tags[1].id = 2;
    std::copy(&upright[0][0], &upright[0][0] + 8, &tags[0].corners[0][0]);
    std::copy(&line[0][0], &line[0][0] + 8, &tags[1].corners[0][0]);
    const auto whys = [&](const Intrinsics& camera) {
      OneNode points("undistort-points", {}, {camera, {}}), poses = pose_node();
      const Value seen = tags;
      points.run({&seen}, frame);
      const Value ideal = points.out<Points>();
      poses.run({&ideal}, frame);
      std::string out;
      for (const TagPose& pose : poses.out<TagPoses>()) out += text("%d:%d ", pose.id, static_cast<int>(pose.no_pose));
      return out;
    };
    Intrinsics other_size = CAMERA, folded = CAMERA;
    other_size.width = 320;
    folded.distortion = {-1.5, 0, 0, 0, 0};  // bends what lies far from the middle back over itself
    expect(whys(CAMERA) == "1:0 2:3 ", whys(CAMERA));
    expect(whys(other_size) == "1:1 2:1 " && whys({}) == "1:1 2:1 ", whys(other_size) + whys({}));
    expect(whys(folded) == "1:2 2:2 ", whys(folded));
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
