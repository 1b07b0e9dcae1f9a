// The robot on the field, from all tags in view that the field map knows. Several tags are solved together; a single one has two solutions.
#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "deviations.h"

namespace vedette {

namespace {

// SQPNP starts next to the optimum: the twenty steps that are OpenCV's default change nothing that can be measured.
const cv::TermCriteria FEW_STEPS(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 5, 1e-7);

/** A tag's optical-style frame (x right, y down, z into the tag) in the map's (x out of the face, y left, z up). */
Pose map_tag_face() { return pose_from_matrix({0, 0, -1, 1, 0, 0, 0, -1, 0}, {0, 0, 0}); }

double distance(const Pose& a, const Pose& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

class FieldPoseNode : public Node {
 public:
  FieldPoseNode(const Params& params, const Scene& scene)
      : min_tags_(params.integer("min_tags")),
        max_ambiguity_(params.number("max_ambiguity")),
        refine_(params.flag("refine")),
        camera_(scene.intrinsics),
        tag_size_m_(scene.map.tag_size_m) {
    const auto family = std::find(TAG_FAMILIES, TAG_FAMILIES + TAG_FAMILY_COUNT, scene.map.family);
    family_ = static_cast<int>(family - TAG_FAMILIES);
    for (const MapTag& tag : scene.map.tags) field_faces_[tag.id] = compose(tag.field_tag, map_tag_face());
  }

  void process(const Moment& moment, const Ports& ports) override {
    FieldPoses& out = ports.out<FieldPoses>();
    out.clear();
    use_known_tags(ports.in<Points>(0));
    if (used_.empty() || static_cast<int>(used_.size()) < min_tags_) return;
    const Pose& mount = moment.robot_camera;
    const std::optional<FieldPose> pose = used_.size() == 1 ? from_single(ports.optional_in<TagPoses>(1), mount) : from_several(mount);
    if (pose && is_whole(*pose)) out.push_back(*pose);
  }

 private:
  struct Used {
    const TagPoints* tag;
    const Pose* field_face;
  };

  /** A field has each id once: one that is seen twice is a reflection or a forgery, and nobody knows which of the two. */
  void use_known_tags(const Points& points) {
    used_.clear();
    sightings_.clear();
    for (const TagPoints& tag : points) {
      const auto known = field_faces_.find(tag.id);
      const auto same = [&tag](const TagPoints& other) { return other.family == tag.family && other.id == tag.id; };
      if (tag.family != family_ || known == field_faces_.end() || std::count_if(points.begin(), points.end(), same) > 1) continue;
      used_.push_back({&tag, &known->second});
      sightings_.add(tag, known->second, tag_size_m_);
    }
  }

  std::optional<FieldPose> from_single(const TagPoses* solved, const Pose& robot_camera) {
    const Used& used = used_.front();
    TagPose tag_pose;
    if (!find_tag_pose(*used.tag, solved, tag_pose) || tag_pose.ambiguity > max_ambiguity_) return std::nullopt;
    FieldPose out;
    out.ambiguity = tag_pose.ambiguity;
    const auto field_optical = [&used](const Pose& camera_tag) { return compose(*used.field_face, invert(camera_tag)); };
    if (!describe(field_optical(tag_pose.camera_tag), robot_camera, out)) return std::nullopt;
    const Pose alt_camera = compose(field_optical(tag_pose.alt_camera_tag), invert(body_optical()));
    out.alt_field_robot = normalized(compose(alt_camera, invert(robot_camera)));

    const double sigma_px = corner_deviation_px(tag_pose.error_px, 4);
    PoseVector doubt{};
    add_doubt(out.field_robot, out.alt_field_robot, tag_pose.error_px, tag_pose.alt_error_px, sigma_px, doubt);
    for (int i = 0; i < 6; i++) out.deviations[i] = std::hypot(out.deviations[i], std::sqrt(doubt[i]));
    return out;
  }

  bool find_tag_pose(const TagPoints& tag, const TagPoses* solved, TagPose& out) {
    if (!solved) return solver_.solve(tag, tag_size_m_, camera_, out);
    const auto same = [&tag](const TagPose& pose) { return pose.family == tag.family && pose.id == tag.id; };
    const auto found = std::find_if(solved->begin(), solved->end(), same);
    if (found == solved->end()) return false;
    out = *found;
    return true;
  }

  std::optional<FieldPose> from_several(const Pose& robot_camera) {
    try {
      const cv::Matx33d ideal = cv::Matx33d::eye();
      if (!cv::solvePnP(sightings_.points, sightings_.seen, ideal, cv::noArray(), rotation_, translation_, false, cv::SOLVEPNP_SQPNP)) return std::nullopt;
      if (refine_) cv::solvePnPRefineLM(sightings_.points, sightings_.seen, ideal, cv::noArray(), rotation_, translation_, FEW_STEPS);
    } catch (const cv::Exception&) {
      return std::nullopt;  // corners that no pose explains
    }
    FieldPose out;
    if (!describe(invert(pose_from_opencv(rotation_, translation_)), robot_camera, out)) return std::nullopt;
    return out;
  }

  /** Everything that follows from where the optical frame is. False when a corner would be behind the camera or the pose is not fixed by them. */
  bool describe(const Pose& field_optical, const Pose& robot_camera, FieldPose& out) {
    out.field_camera = normalized(compose(field_optical, invert(body_optical())));
    out.field_robot = normalized(compose(out.field_camera, invert(robot_camera)));
    out.error_px = reprojection_error_px(sightings_, invert(field_optical), camera_);
    if (!is_finite(out.field_robot) || !std::isfinite(out.error_px)) return false;

    out.tag_count = static_cast<int>(used_.size());
    for (const Used& used : used_) {
      out.mean_distance_m += distance(*used.field_face, out.field_camera) / out.tag_count;
      for (const Used& other : used_) out.span_m = std::max(out.span_m, distance(*used.field_face, *other.field_face));
    }
    PoseVector variances;
    const double sigma_px = corner_deviation_px(out.error_px, sightings_.points.size());
    if (!pose_variances(sightings_, out.field_robot, compose(robot_camera, body_optical()), camera_, sigma_px, variances)) return false;
    for (int i = 0; i < 6; i++) out.deviations[i] = std::sqrt(variances[i]);
    return true;
  }

  static bool is_whole(const FieldPose& pose) {
    double sum = pose.error_px + pose.ambiguity + pose.span_m + pose.mean_distance_m;
    for (const double deviation : pose.deviations) sum += deviation;
    return std::isfinite(sum) && is_finite(pose.field_camera) && is_finite(pose.field_robot) && is_finite(pose.alt_field_robot);
  }

  const int min_tags_;
  const double max_ambiguity_;
  const bool refine_;
  const Intrinsics camera_;
  const double tag_size_m_;
  int family_ = 0;
  std::map<int, Pose> field_faces_;
  std::vector<Used> used_;
  Sightings sightings_;
  SquareSolver solver_;
  cv::Mat rotation_, translation_;
};

}  // namespace

std::unique_ptr<Node> make_field_pose_node(const Params& params, const Scene& scene) { return std::make_unique<FieldPoseNode>(params, scene); }

}  // namespace vedette
