// Tags that leave the picture: over each side and each corner of it, by parts of a module up to two, by either engine.
#include <opencv2/calib3d.hpp>

#include "printed.h"
#include "tagged.h"

namespace vedette::test {
namespace {

using Settings = std::vector<std::pair<std::string, Param>>;

constexpr const char* ENGINES[] = {"reference", "vedette"};
constexpr int WIDTH = 400, HEIGHT = 320;

OneNode detector(const std::string& family, const std::string& engine, bool refines) {
  return OneNode("apriltag", {{"families", std::vector<std::string>{family}},
                              {"engine", engine},
                              {"mode", std::string("full")},
                              {"decimate", 1.0},
                              {"blur", 0.0},
                              {"threads", 1.0},
                              {"refine", refines},
                              {"min_margin", std::vector<double>{0}},
                              {"max_hamming", std::vector<double>{0}},
                              {"ids", std::vector<double>{}}});
}

/** How far a place is within a side of the picture. side: 0 for the top, then clockwise. */
double within_px(const cv::Point2f& place, int side) {
  const float all[] = {place.y, WIDTH - place.x, HEIGHT - place.y, place.x};
  return all[side];
}

/** A tag somewhere in space. */
struct Tilted {
  cv::Matx33d rotation;
  double x_px, y_px, focal_px, modules_away;

  /** A square of so many modules about its middle. */
  Quad square(double modules) const {
    Quad out = square_of(static_cast<float>(-modules / 2), static_cast<float>(modules / 2));
    for (cv::Point2f& corner : out) {
      const cv::Vec3d at = rotation * cv::Vec3d(corner.x, corner.y, 0);
      const double scale = focal_px / (at[2] + modules_away);
      corner = {static_cast<float>(x_px + scale * at[0]), static_cast<float>(y_px + scale * at[1])};
    }
    return out;
  }

  /** Moves it until the farthest corner of the square is so far outside. */
  void push_over(int side, double modules, double outside_px) {
    double within = 1e9;
    for (const cv::Point2f& corner : square(modules)) within = std::min(within, within_px(corner, side));
    const double by = within + outside_px;
    (side % 2 == 0 ? y_px : x_px) += side == 0 || side == 3 ? -by : by;
  }
};

struct Leaving {
  cv::Mat picture = wall(WIDTH, HEIGHT);
  Quad corners;
};

/** over: a side of the picture, or 4 more: its corner clockwise from there. */
Leaving leaving(const apriltag_family_t& family, int id, double side_px, int over, double modules_outside,
                cv::RNG& random) {
  const double about_x = random.uniform(-0.9, 0.9), about_y = random.uniform(-0.9, 0.9);
  const double turned = random.uniform(0.0, 1.0) < 0.5 ? random.uniform(-0.1, 0.1) : random.uniform(0.0, 2 * CV_PI);
  cv::Matx33d x, y, z;
  cv::Rodrigues(cv::Vec3d(about_x, 0, 0), x);
  cv::Rodrigues(cv::Vec3d(0, about_y, 0), y);
  cv::Rodrigues(cv::Vec3d(0, 0, turned), z);
  const double modules = family.width_at_border, module_px = side_px / modules, focal_px = 500;
  const double x_px = random.uniform(0.3, 0.7) * WIDTH, y_px = random.uniform(0.3, 0.7) * HEIGHT;
  Tilted tag{x * y * z, x_px, y_px, focal_px, focal_px / module_px};
  tag.push_over(over % 4, modules, modules_outside * module_px);
  if (over >= 4) tag.push_over((over + 1) % 4, modules, modules_outside * module_px);
  Leaving out;
  out.corners = draw_sheet(out.picture, printed(family, id), tag.square(family.total_width));
  blur(out.picture, random.uniform(0.0, 1.0) < 0.5 ? 0.3 : 0.6);
  cv::Mat noise(out.picture.size(), CV_16S), sum;
  random.fill(noise, cv::RNG::NORMAL, 0, 2);
  cv::add(out.picture, noise, sum, cv::noArray(), CV_8U);
  out.picture = sum;
  return out;
}

/** Of one engine. whole: tags that are all in the picture, with what is printed around them. */
struct Tally {
  int whole = 0, whole_found = 0, leaving = 0, leaving_found = 0;
  double max_px = 0;
};

void look_at(OneNode& node, const Leaving& seen, bool is_whole, bool refines, Tally& into) {
  const Value picture = image_of(seen.picture, ImageFormat::gray, {});
  node.run({&picture});
  (is_whole ? into.whole : into.leaving)++;
  for (const Detection& tag : node.out<Detections>()) {
    (is_whole ? into.whole_found : into.leaving_found)++;
    const double off = off_px(tag, seen.corners), most = refines ? 5 * tag.sigma_px + 0.1 : 2.5;
    expect(off <= most, text("a corner is %.2f px off, said are %.3f", off, tag.sigma_px));
    into.max_px = std::max(into.max_px, off);
  }
}

std::string over_all_sides(const std::string& family_name, const std::string& engine, bool refines) {
  const FamilyOwner family = make_family(family_name);
  OneNode node = detector(family_name, engine, refines);
  const double rim = (family->total_width - family->width_at_border) / 2.0;
  cv::RNG random(4711);
  Tally tally;
  for (const double outside : {-0.6 - rim, -0.1, 0.05, 0.3, 0.7, 1.1, 1.5, 2.0})
    for (const double side_px : {24.0, 48.0, 110.0})
      for (int over = 0; over < 8; over++) {
        const int id = random.uniform(0, static_cast<int>(family->ncodes));
        const Leaving seen = leaving(*family, id, side_px, over, outside, random);
        look_at(node, seen, outside < -rim, refines, tally);
      }
  expect(tally.whole_found >= tally.whole - 1, text("%d of %d whole tags are found", tally.whole_found, tally.whole));
  // The newer families have bits around the square: without them hardly one is read.
  const bool are_enough = family->reversed_border || tally.leaving_found > 20;
  expect(are_enough, text("only %d of those that leave are found", tally.leaving_found));
  return text("%d of %d that leave are found, at most %.2f px off", tally.leaving_found, tally.leaving, tally.max_px);
}

/** Two tags on a wall, the second so far from the first, towards that side of the picture. */
FieldMap map_of_two(int over, double apart_m) {
  const double up[] = {1, 0, -1, 0}, left[] = {0, -1, 0, 1};
  FieldMap map{"tag36h11", 0.2, 8, 8, {}};
  map.tags.push_back({1, pose_from_euler(3, 4, 1.2, 0, 0, M_PI)});
  map.tags.push_back({2, pose_from_euler(3, 4 + apart_m * left[over], 1.2 + apart_m * up[over], 0, 0, M_PI)});
  return map;
}

const Intrinsics CAMERA{true, 640, 480, 520, 520, 319.5, 239.5, {}};
constexpr double AWAY_M = 1.8;

/** A camera before them, the first in the middle of its picture. */
Frame frame_of(const FieldMap& map) {
  SyntheticOptions options;
  options.width = CAMERA.width;
  options.height = CAMERA.height;
  options.intrinsics = CAMERA;
  options.motion = "still";
  options.exposure_us = options.vignetting = 0;
  options.noise = 2;
  options.has_pose = true;
  options.pose = pose_from_euler(3 - AWAY_M, 4, 1.2, 0, 0, 0);
  options.map = map;
  Frame frame;
  SyntheticCamera(options).render(0, frame);
  return frame;
}

/** How far the camera is from where those tags put it. */
double off_m(Frame& frame, const FieldMap& map, const Detections& tags) {
  OneNode points("undistort-points", {}, {CAMERA, map});
  OneNode pose("field-pose", {{"min_tags", 1.0}, {"max_ambiguity", 1.0}, {"refine", true}}, {CAMERA, map});
  const Value seen = tags;
  points.run({&seen}, frame);
  const Value ideal = points.out<Points>();
  pose.run({&ideal, nullptr}, frame);
  expect(!pose.out<FieldPoses>().empty(), "there is no pose");
  const Pose &found = pose.out<FieldPoses>()[0].field_camera, &truth = frame.truth.field_camera;
  return std::hypot(std::hypot(found.x - truth.x, found.y - truth.y), found.z - truth.z);
}

std::string beside_one_that_leaves(const std::string& engine) {
  OneNode node = detector("tag36h11", engine, true);
  double both_m2 = 0, alone_m2 = 0;
  int pictures = 0, seconds = 0;
  for (int over = 0; over < 4; over++)
    for (double modules = -1; modules < 3.8; modules += 0.2) {
      const double to_rim_px = (over % 2 == 0 ? CAMERA.height : CAMERA.width) / 2.0;
      const FieldMap map = map_of_two(over, to_rim_px / CAMERA.fx * AWAY_M - 0.1 + 0.025 * modules);
      Frame frame = frame_of(map);
      const Value picture = source_value(frame.gray);
      node.run({&picture}, frame);
      const Detections tags = node.out<Detections>();
      Detections first;
      for (const Detection& tag : tags)
        if (tag.id == 1) first.push_back(tag);
      expect(first.size() == 1, text("%zu tags are found", tags.size()));
      seconds += static_cast<int>(tags.size() - first.size());
      const double both_m = off_m(frame, map, tags), alone_m = off_m(frame, map, first);
      both_m2 += both_m * both_m, alone_m2 += alone_m * alone_m;
      pictures++;
    }
  const double both_m = std::sqrt(both_m2 / pictures), alone_m = std::sqrt(alone_m2 / pictures);
  expect(both_m <= alone_m, text("it is %.3f m off, without it %.3f", both_m, alone_m));
  return text("found in %d of %d; %.3f m off, without it %.3f", seconds, pictures, both_m, alone_m);
}

/** With the name of an engine behind it. */
void test_by_each(const std::string& sentence, const std::function<std::string(const std::string& engine)>& body) {
  for (const char* engine : ENGINES) test((sentence + ", by " + engine).c_str(), [&] { return body(engine); });
}

const Suite suite([] {
  for (const std::string family : {"tag36h11", "tag16h5", "tagStandard41h12"})
    test_by_each("a " + family + " that leaves the picture has its true corners or is none",
                 [&](const std::string& engine) { return over_all_sides(family, engine, true); });

  test_by_each("so it is where nobody wants corners refined",
               [](const std::string& engine) { return over_all_sides("tag36h11", engine, false); });

  test_by_each("beside a tag that leaves the picture the robot's place is as good as without it",
               beside_one_that_leaves);
});

}  // namespace
}  // namespace vedette::test
