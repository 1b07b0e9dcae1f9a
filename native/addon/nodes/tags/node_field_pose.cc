// The robot on the field, from all tags in view that the field map knows, solved together. What is seen in one plane, a
// tag or a wall of them, has two solutions: it looks nearly the same when it is tilted the other way. The corners and
// what was before decide. A robot that says which way it looks gets its place by that too, beside the pose by the
// corners.
#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "deviations.h"
#include "heading_solver.h"
#include "tag_nodes.h"
#include "witness.h"

namespace vedette {

namespace {

// SQPNP and IPPE start next to the optimum: the twenty steps that are OpenCV's default change nothing that can be
// measured.
const cv::TermCriteria FEW_STEPS(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 5, 1e-7);
// A mirror image is only about where the second optimum is.
const cv::TermCriteria MORE_STEPS(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 10, 1e-7);

constexpr double SAME_PLANE_M = 0.02, SAME_PLANE_COSINE = 0.9994;  // 2 degrees: as walls are built
constexpr double HEAD_ON_SINE = 0.01;                              // a plane faced squarely is its own mirror image
constexpr double SAME_POSE_RAD = 0.005;                            // both searches have ended in one place

constexpr double NO_HARM_M = 0.1;  // apart; the deviations say it

// However ambiguous a picture looks: at these odds what was seen before has decided.
const double DECIDED_LOG_ODDS = std::log(0.95 / 0.05);

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
        map_size_m_(scene.map.tag_size_m) {
    for (const MapTag& tag : scene.map.tags)
      known_[{family_index(scene.map.family_of(tag)), tag.id}] = {compose(tag.field_tag, map_tag_face()),
                                                                  scene.map.size_of(tag)};
  }

  void process(const Moment& moment, const Ports& ports) override {
    FieldPoses& out = ports.out<FieldPoses>();
    out.clear();
    use_known_tags(ports.in<Points>(0), moment.live);
    if (used_.empty()) return;
    std::optional<FieldPose> pose = by_corners(moment, ports.optional_in<TagPoses>(1));
    add_heading(pose, moment);
    if (pose) out.push_back(*pose);
  }

 private:
  /** A tag of the map. field_face: as a tag's optical-style frame. */
  struct Known {
    Pose field_face;
    double size_m;
  };

  struct Used {
    const TagPoints* tag;
    const Pose* field_face;
    double size_m;
  };

  /**
   * A field has each id once: one that is seen twice is a reflection or a forgery, and nobody knows which of the two.
   */
  void use_known_tags(const Points& points, const LiveControls* live) {
    used_.clear();
    sightings_.clear();
    for (const TagPoints& tag : points) {
      const auto known = known_.find({tag.family, tag.id});
      const auto same = [&tag](const TagPoints& other) { return other.family == tag.family && other.id == tag.id; };
      if (known == known_.end() || std::count_if(points.begin(), points.end(), same) > 1) continue;
      if (tag.no_pose != NoPose::none) continue;
      if (live && !live->solves_from(tag.id)) continue;
      const auto& [field_face, size_m] = known->second;
      used_.push_back({&tag, &field_face, size_m});
      sightings_.add(tag, field_face, size_m);
    }
  }

  std::optional<FieldPose> by_corners(const Moment& moment, const TagPoses* solved) {
    if (static_cast<int>(used_.size()) < min_tags_) return std::nullopt;
    std::optional<Solution> first, second;
    if (used_.size() == 1) solve_single(solved, first, second);
    else solve_several(first, second);
    if (!first) return std::nullopt;
    const std::optional<FieldPose> pose = choose(*first, second, moment);
    return pose && is_whole(*pose) ? pose : std::nullopt;
  }

  /** One tag is enough for that. Where the corners alone leave the pose open, the row has no other. */
  void add_heading(std::optional<FieldPose>& pose, const Moment& moment) {
    const std::optional<RobotYaw> yaw = moment.yaw();
    const std::optional<HeadingSolution> found =
        yaw ? heading_solver_.solve(sightings_, moment.mount, *yaw, camera_) : std::nullopt;
    if (!found) return;
    if (!pose) {
      constexpr Pose NONE{0, 0, 0, 0, 0, 0, 0};
      pose.emplace();
      count_tags(found->field_camera, *pose);
      pose->field_camera = pose->field_robot = NONE;
    }
    pose->has_heading = true;
    pose->heading_field_robot = found->field_robot;
    std::copy(std::begin(found->deviations), std::end(found->deviations), pose->heading_deviations);
  }

  /** The field in the optical frame, and how well that explains the corners. */
  struct Solution {
    Pose optical_field;
    Fit fit;
  };

  std::optional<Solution> solution(const Pose& optical_field) const {
    const Solution out{optical_field, fit_of(sightings_, optical_field, camera_)};
    if (!is_finite(optical_field) || !std::isfinite(out.fit.misfit)) return std::nullopt;
    return out;
  }

  void solve_single(const TagPoses* solved, std::optional<Solution>& first, std::optional<Solution>& second) {
    const Used& used = used_.front();
    TagPose tag_pose;
    if (!find_tag_pose(used, solved, tag_pose)) return;
    const auto from_tag = [&](const Pose& optical_tag) {
      const Pose optical_field = compose(optical_tag, invert(*used.field_face));
      return solution(refine_ ? refined(optical_field, FEW_STEPS) : optical_field);
    };
    first = from_tag(tag_pose.camera_tag);
    second = from_tag(tag_pose.alt_camera_tag);
    if (!first) std::swap(first, second);
    if (first && second && is_same(*first, *second)) second.reset();
  }

  /** What was solved before may have been for a tag as large as most of the map are. */
  bool find_tag_pose(const Used& used, const TagPoses* solved, TagPose& out) {
    const TagPoints& tag = *used.tag;
    if (!solved || used.size_m != map_size_m_) return solver_.solve(tag, used.size_m, camera_, out);
    const auto same = [&tag](const TagPose& pose) { return pose.family == tag.family && pose.id == tag.id; };
    const auto found = std::find_if(solved->begin(), solved->end(), same);
    if (found == solved->end() || found->no_pose != NoPose::none) return false;
    out = *found;
    return true;
  }

  void solve_several(std::optional<Solution>& first, std::optional<Solution>& second) {
    try {
      if (!cv::solvePnP(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), rotation_, translation_,
                        false, cv::SOLVEPNP_SQPNP))
        return;
    } catch (const cv::Exception&) {
      return;  // corners that no pose explains
    }
    const Pose found = pose_from_opencv(rotation_, translation_);
    first = solution(refine_ ? refined(found, FEW_STEPS) : found);
    if (!first || !is_one_plane()) return;
    const std::optional<Pose> mirror = mirrored(first->optical_field);
    if (mirror) second = solution(refined(*mirror, MORE_STEPS));
    if (second && is_same(*first, *second)) second.reset();
  }

  static bool is_same(const Solution& a, const Solution& b) {
    return rotation_angle(compose(invert(a.optical_field), b.optical_field)) < SAME_POSE_RAD;
  }

  /** The least reprojection error near a pose; the pose itself when there is none. */
  Pose refined(const Pose& optical_field, const cv::TermCriteria& criteria) {
    const Mat3 rows = rotation_matrix(optical_field);
    try {
      cv::Rodrigues(cv::Matx33d(rows.data()), rotation_);
      translation_ = (cv::Mat_<double>(3, 1) << optical_field.x, optical_field.y, optical_field.z);
      cv::solvePnPRefineLM(sightings_.points, sightings_.seen, cv::Matx33d::eye(), cv::noArray(), rotation_,
                           translation_, criteria);
    } catch (const cv::Exception&) {
      return optical_field;
    }
    return pose_from_opencv(rotation_, translation_);
  }

  bool is_one_plane() const {
    const Pose& plane = *used_.front().field_face;
    const Vec3 normal = rotate(plane, {0, 0, 1});
    return std::all_of(used_.begin(), used_.end(), [&](const Used& used) {
      const Pose& face = *used.field_face;
      const Vec3 other = rotate(face, {0, 0, 1});
      const double off =
          (face.x - plane.x) * normal[0] + (face.y - plane.y) * normal[1] + (face.z - plane.z) * normal[2];
      return std::fabs(off) < SAME_PLANE_M &&
             normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2] > SAME_PLANE_COSINE;
    });
  }

  /** The plane of the tags tilted to the other side of the line of sight to their middle. */
  std::optional<Pose> mirrored(const Pose& optical_field) const {
    cv::Point3d middle;
    for (const cv::Point3d& point : sightings_.points) middle += point / static_cast<double>(sightings_.points.size());
    const Vec3 at = transform(optical_field, {middle.x, middle.y, middle.z});
    const double distance = std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    const Vec3 sight{at[0] / distance, at[1] / distance, at[2] / distance};
    const Vec3 normal = rotate(optical_field, rotate(*used_.front().field_face, {0, 0, 1}));
    const double cosine = sight[0] * normal[0] + sight[1] * normal[1] + sight[2] * normal[2];
    const Vec3 axis{normal[1] * sight[2] - normal[2] * sight[1], normal[2] * sight[0] - normal[0] * sight[2],
                    normal[0] * sight[1] - normal[1] * sight[0]};
    if (std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) < HEAD_ON_SINE) return std::nullopt;
    // twice the angle between normal and sight
    const Pose turn = normalized({0, 0, 0, cosine, axis[0], axis[1], axis[2]});
    const Pose about_middle = compose(compose(Pose{at[0], at[1], at[2]}, turn), Pose{-at[0], -at[1], -at[2]});
    return compose(about_middle, optical_field);
  }

  /**
   * The likelier of two solutions, with the doubt that stays. Nothing when neither the corners nor what was before
   * decide.
   */
  std::optional<FieldPose> choose(Solution first, std::optional<Solution> second, const Moment& moment) {
    const int64_t at_us = moment.frame.captured_us;
    if (!second) {
      const std::optional<FieldPose> pose = describe(first, moment.mount, nullptr);
      if (pose) memory_.remember(pose->field_camera, std::nullopt, 0, at_us);
      return pose;
    }
    const double ambiguity =
        std::min(first.fit.error_px, second->fit.error_px) / std::max({first.fit.error_px, second->fit.error_px, 1e-9});
    double odds = log_odds(first.fit.misfit, second->fit.misfit, sightings_.points.size());
    for (const Witness* witness : witnesses_)
      odds += witness->log_odds(field_camera(first), field_camera(*second), at_us);
    if (odds < 0) {
      std::swap(first, *second);
      odds = -odds;
    }
    const bool decided = memory_.is_fresh(at_us) && odds > DECIDED_LOG_ODDS;
    memory_.remember(field_camera(first), field_camera(*second), odds, at_us);

    std::optional<FieldPose> pose = describe(first, moment.mount, &*second);
    if (!pose || (ambiguity > max_ambiguity_ && !decided && is_elsewhere(*pose))) return std::nullopt;
    pose->ambiguity = ambiguity;
    PoseVector doubt{};
    add_doubt(pose->field_robot, pose->alt_field_robot, 1 / (1 + std::exp(odds)), doubt);
    for (int i = 0; i < 6; i++) pose->deviations[i] = std::hypot(pose->deviations[i], std::sqrt(doubt[i]));
    return pose;
  }

  /** Whether it matters which of the two it is: a tag faced squarely has both within the noise. */
  static bool is_elsewhere(const FieldPose& pose) {
    const double* deviation = pose.deviations;
    const double deviation_m =
        std::sqrt(deviation[0] * deviation[0] + deviation[1] * deviation[1] + deviation[2] * deviation[2]);
    return distance(pose.field_robot, pose.alt_field_robot) > std::max(NO_HARM_M, 3 * deviation_m);
  }

  static Pose field_camera(const Solution& solution) {
    return normalized(compose(invert(solution.optical_field), invert(body_optical())));
  }

  /** Everything that follows from where the field is. Nothing when the corners do not fix the pose. */
  std::optional<FieldPose> describe(const Solution& solution, const Pose& mount, const Solution* second) {
    FieldPose out;
    out.field_camera = field_camera(solution);
    out.field_robot = normalized(compose(out.field_camera, invert(mount)));
    out.error_px = solution.fit.error_px;
    if (second) out.alt_field_robot = normalized(compose(field_camera(*second), invert(mount)));

    count_tags(out.field_camera, out);
    PoseVector variances;
    if (!pose_variances(sightings_, out.field_robot, compose(mount, body_optical()), camera_, slopes_, variances))
      return std::nullopt;
    for (int i = 0; i < 6; i++) out.deviations[i] = std::sqrt(variances[i]);
    return out;
  }

  void count_tags(const Pose& field_camera, FieldPose& out) const {
    out.tag_count = static_cast<int>(used_.size());
    for (const Used& used : used_) {
      out.mean_distance_m += distance(*used.field_face, field_camera) / out.tag_count;
      for (const Used& other : used_) out.span_m = std::max(out.span_m, distance(*used.field_face, *other.field_face));
    }
  }

  static bool is_whole(const FieldPose& pose) {
    double sum = pose.error_px + pose.ambiguity + pose.span_m + pose.mean_distance_m;
    for (const double deviation : pose.deviations) sum += deviation;
    return std::isfinite(sum) && is_finite(pose.field_camera) && is_finite(pose.field_robot) &&
           is_finite(pose.alt_field_robot);
  }

  const int min_tags_;
  const double max_ambiguity_;
  const bool refine_;
  const Intrinsics camera_;
  const double map_size_m_;
  std::map<std::pair<int, int>, Known> known_;  // by family and id
  std::vector<Used> used_;
  Sightings sightings_;
  SquareSolver solver_;
  cv::Mat rotation_, translation_;
  Slopes slopes_;
  HeadingSolver heading_solver_;
  PoseMemory memory_;
  const std::vector<const Witness*> witnesses_{&memory_};
};

}  // namespace

std::unique_ptr<Node> make_field_pose_node(const Params& params, const Scene& scene) {
  return std::make_unique<FieldPoseNode>(params, scene);
}

}  // namespace vedette
