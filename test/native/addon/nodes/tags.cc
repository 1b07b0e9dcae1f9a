// Tags chosen by id or rank, and points beside them, against what they are by construction.
#include <cmath>

#include "one_node.h"
#include "pose_math.h"

namespace vedette::test {
namespace {

/** An upright square. */
Detection tag(int id, double x, double y, double side) {
  Detection found;
  found.id = id;
  found.center[0] = x;
  found.center[1] = y;
  const double half = side / 2,
               corners[4][2] = {{x - half, y + half}, {x + half, y + half}, {x + half, y - half}, {x - half, y - half}};
  std::copy(&corners[0][0], &corners[0][0] + 8, &found.corners[0][0]);
  return found;
}

std::string ids_of(const Detections& tags) {
  std::string all;
  for (const Detection& each : tags) all += (all.empty() ? "" : " ") + std::to_string(each.id);
  return all;
}

using Ids = std::vector<double>;

Params filter_params(const Ids& ids, const std::string& mode) {
  Params params;
  params.set("ids", ids);
  params.set("mode", mode);
  return params;
}

/** A frame of 640x480. */
Frame picture() {
  Frame frame;
  frame.width = 640;
  frame.height = 480;
  return frame;
}

std::string ranked(const Value& tags, const std::string& by, const Ids& ids, bool alone, const Value* poses = nullptr) {
  OneNode node("priority", {{"by", by}, {"ids", ids}, {"alone", alone}});
  Frame frame = picture();
  node.run({&tags, poses}, frame);
  return ids_of(node.out<Detections>());
}

TagPose tag_pose(int id, const Pose& camera_tag) {
  TagPose pose;
  pose.id = id;
  pose.camera_tag = pose.alt_camera_tag = camera_tag;
  return pose;
}

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-9; }

const Suite suite([] {
  test("tags are kept or dropped by their ids, also by others from the next picture on", [] {
    const Value tags =
        Detections{tag(7, 100, 100, 20), tag(3, 200, 100, 20), tag(9, 300, 100, 20), tag(3, 400, 100, 20)};
    OneNode node("id-filter", {{"ids", Ids{}}, {"mode", std::string("keep")}});
    const auto passed = [&](const Ids& ids, const std::string& mode) {
      node.node().set_params(filter_params(ids, mode));
      node.run({&tags});
      return ids_of(node.out<Detections>());
    };
    expect(passed({}, "keep") == "7 3 9 3" && passed({}, "drop") == "7 3 9 3", "without a list something is missing");
    expect(passed({9, 3, 5}, "keep") == "3 9 3", passed({9, 3, 5}, "keep"));
    expect(passed({9, 3, 5}, "drop") == "7", passed({9, 3, 5}, "drop"));
    return "";
  });

  test("the tag that matters most comes first, or alone", [] {
    const Value tags = Detections{tag(1, 50, 50, 30), tag(2, 330, 250, 10), tag(3, 500, 400, 60), tag(4, 200, 100, 20)};
    const Value poses = TagPoses{tag_pose(3, {0, 0, 2}), tag_pose(4, {0.5, 0, 1}), tag_pose(1, {0, 0, 3})};
    expect(ranked(tags, "largest", {}, true) == "3" && ranked(tags, "largest", {}, false) == "3 1 4 2",
           ranked(tags, "largest", {}, false));
    expect(ranked(tags, "centremost", {}, false) == "2 4 3 1", ranked(tags, "centremost", {}, false));
    expect(ranked(tags, "given", {8, 4, 2}, false) == "4 2 3 1", ranked(tags, "given", {8, 4, 2}, false));
    expect(ranked(tags, "closest", {}, false, &poses) == "4 3 1 2", ranked(tags, "closest", {}, false, &poses));
    expect(ranked(tags, "closest", {}, false) == "3 1 4 2", "without poses they are not in the order of their size");
    const Value none = Detections{};
    expect(ranked(none, "largest", {}, true).empty(), "there is a tag where there is none");
    return "";
  });

  test("tags that are alike stay in the order in which they came", [] {
    const Value tags = Detections{tag(5, 100, 100, 20), tag(4, 300, 100, 20), tag(6, 500, 100, 20)};
    expect(ranked(tags, "largest", {}, false) == "5 4 6", ranked(tags, "largest", {}, false));
    return "";
  });

  test("a point beside a tag moves and turns with it, and is aimed at where it is seen", [] {
    Scene scene;
    scene.intrinsics = {true, 640, 480, 500, 500, 319.5, 239.5, {}};
    OneNode node("tag-offset", {{"right_m", 0.3}, {"up_m", 0.2}, {"out_m", 0.5}}, scene);
    const double half = std::sqrt(0.5);
    // upright; turned by 90 degrees, clockwise as seen; too near
    const Value poses =
        TagPoses{tag_pose(1, {0, 0, 3}), tag_pose(2, {0, 0, 3, half, 0, 0, half}), tag_pose(3, {0, 0, 0.2})};
    node.run({&poses});
    const TagPoses& moved = node.out<TagPoses>(0);
    const Targets& targets = node.out<Targets>(1);
    expect(moved.size() == 3 && targets.size() == 2, "a point behind the camera is a target, or another is none");
    const Pose &upright = moved[0].camera_tag, &turned = moved[1].camera_tag, &other = moved[0].alt_camera_tag;
    expect(is_near(upright.x, 0.3) && is_near(upright.y, -0.2) && is_near(upright.z, 2.5),
           text("it is at %g, %g, %g", upright.x, upright.y, upright.z));
    expect(is_near(turned.x, 0.2) && is_near(turned.y, 0.3) && is_near(turned.z, 2.5),
           text("turned it is at %g, %g, %g", turned.x, turned.y, turned.z));
    expect(is_near(other.x, 0.3) && is_near(other.z, 2.5), "the second solution stays behind");
    const Target& seen = targets[0];
    expect(is_near(seen.center[0], 320 + 500 * 0.12) && is_near(seen.center[1], 240 - 500 * 0.08),
           text("it is seen at %g, %g", seen.center[0], seen.center[1]));
    expect(std::fabs(seen.tx_deg - 6.8428) < 1e-3 && std::fabs(seen.ty_deg - 4.5739) < 1e-3 && seen.has_pose,
           text("it lies at %g, %g degrees", seen.tx_deg, seen.ty_deg));
    Params back;
    for (const char* name : {"right_m", "up_m", "out_m"}) back.set(name, 0.0);
    node.node().set_params(back);
    node.run({&poses});
    expect(is_near(node.out<TagPoses>(0)[0].camera_tag.z, 3) && node.out<Targets>(1).size() == 3,
           "another offset does not take effect");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
