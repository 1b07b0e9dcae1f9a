// What a robot sets while its camera runs, against the same nodes without it.
#include <algorithm>

#include "tagged.h"

namespace vedette::test {
namespace {

OneNode detector(double decimate) {
  return {"apriltag",
          {{"families", std::vector<std::string>{"tag36h11"}},
           {"decimate", decimate},
           {"blur", 0.0},
           {"engine", std::string("reference")},
           {"mode", std::string("full")},
           {"threads", 1.0},
           {"refine", true},
           {"min_margin", std::vector<double>{5}},
           {"max_hamming", std::vector<double>{1}},
           {"ids", std::vector<double>{}}}};
}

Detections found(OneNode& node, const Value& picture, Frame& frame) {
  node.run({&picture}, frame);
  return node.out<Detections>();
}

bool is_in(const Window& window, const Frame& frame, double x, double y, double margin_px) {
  return x >= window.x0 * frame.width + margin_px && x <= window.x1 * frame.width - margin_px &&
         y >= window.y0 * frame.height + margin_px && y <= window.y1 * frame.height - margin_px;
}

/** Those that lie in a window with the white around them, which is a module of ten wide. */
Detections within(const Window& window, const Frame& frame, const Detections& tags) {
  Detections out;
  for (const Detection& tag : tags) {
    const double side = std::hypot(tag.corners[1][0] - tag.corners[0][0], tag.corners[1][1] - tag.corners[0][1]);
    if (std::all_of(std::begin(tag.corners), std::end(tag.corners),
                    [&](const auto& corner) { return is_in(window, frame, corner[0], corner[1], 0.2 * side); }))
      out.push_back(tag);
  }
  return out;
}

std::string ids_of(const Detections& tags) {
  std::string all;
  for (const Detection& tag : tags) all += std::to_string(tag.id) + " ";
  return all;
}

const Scene& wall_scene() {
  static const Scene scene = [] {
    Scene out{{true, 800, 600, 520, 520, 399.5, 299.5, {}}, {"tag36h11", 0.2, 8, 8, {}}};
    for (int id = 0; id < 12; id++)
      out.map.tags.push_back({id, pose_from_euler(3, 2.8 + 0.8 * (id % 4), 0.3 + 0.7 * (id / 4), 0, 0, M_PI)});
    return out;
  }();
  return scene;
}

const Suite suite([] {
  test("tags are looked for in the window alone, and lie where they do in the whole picture", [] {
    Frame frame = frame_of_tags();
    const Value picture = source_value(frame.gray);
    OneNode node = detector(1);
    const Detections all = found(node, picture, frame);
    std::string figures;
    for (const Window& window : {Window{0.3, 0, 1, 0.6}, Window{0, 0.35, 0.7, 1}, Window{0.01, 0.01, 0.99, 0.99}}) {
      node.live.window = window;
      const Detections seen = found(node, picture, frame), expected = within(window, frame, all);
      const Shift shift = shift_of(expected, seen);
      expect(!expected.empty() && expected.size() < 13 && shift.lost == 0 && shift.max_px < 0.05,
             text("%zu expected, %s, %d lost", expected.size(), shift.words().c_str(), shift.lost));
      for (const Detection& tag : seen)
        expect(is_in(window, frame, tag.center[0], tag.center[1], 0),
               "tag " + std::to_string(tag.id) + " lies outside");
      figures += text("%zu of %zu, ", seen.size(), all.size());
    }
    for (const Window& window : {Window{0.5, 0.5, 0.5, 0.5}, Window{0.5, 0.5, 0.501, 1}}) {
      node.live.window = window;
      expect(found(node, picture, frame).empty(), "there is something in nothing");
    }
    node.live.window = {};
    expect(ids_of(found(node, picture, frame)) == ids_of(all), "the window stays");
    return figures;
  });

  test("a window is one of the source's picture, however that was turned or straightened", [] {
    Intrinsics lens{true, 800, 600, 520, 520, 399.5, 299.5, {-0.2, 0.05, 0, 0}};
    Frame frame = frame_of_tags(lens);
    const Value picture = source_value(frame.gray);
    const Window window{0.3, 0, 1, 0.6};
    OneNode rotate("rotate", {{"angle_deg", 90.0}}), straighten("undistort", {}, {lens, {}});
    for (OneNode* change : {&rotate, &straighten}) {
      change->run({&picture}, frame);
      const Value changed = change->out<Image>();
      OneNode node = detector(1);
      const Detections all = found(node, changed, frame), expected = within(window, frame, all);
      node.live.window = window;
      const Detections seen = found(node, changed, frame);
      const Shift shift = shift_of(expected, seen);
      expect(expected.size() >= 3 && seen.size() < all.size() && shift.lost == 0 && shift.max_px < 0.05,
             text("%zu expected, %s, %d lost", expected.size(), shift.words().c_str(), shift.lost));
      for (const Detection& tag : seen)
        expect(is_in(window, frame, tag.center[0], tag.center[1], 0),
               "tag " + std::to_string(tag.id) + " lies outside");
    }
    return "";
  });

  test("another decimation is as if the detector had been made with it, and ends with it", [] {
    Frame frame = frame_of_tags();
    const Value picture = source_value(frame.gray);
    OneNode fine = detector(1), coarse = detector(3);
    const Detections by_fine = found(fine, picture, frame), by_coarse = found(coarse, picture, frame);
    fine.live.decimate = 3;
    const Detections overridden = found(fine, picture, frame);
    fine.live.decimate = 0;
    const Detections after = found(fine, picture, frame);
    const auto is_same = [](const Detections& a, const Detections& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Detection& x, const Detection& y) {
        return x.id == y.id && x.corners[0][0] == y.corners[0][0] && x.margin == y.margin;
      });
    };
    expect(!is_same(by_fine, by_coarse), "it makes no difference here");
    expect(is_same(overridden, by_coarse) && is_same(after, by_fine), "it is another");
    return text("%zu and %zu tags", by_fine.size(), by_coarse.size());
  });

  test("the robot is found from the tags alone that it wants to be found from", [] {
    Frame frame = frame_of_tags();
    Detections seen = true_tags(frame);
    for (Detection& tag : seen) tag.sigma_px = 0.1;
    const Value tags = seen;
    OneNode undistort("undistort-points", {}, wall_scene()),
        solve("field-pose", {{"min_tags", 1.0}, {"max_ambiguity", 1.0}, {"refine", true}}, wall_scene());
    undistort.run({&tags}, frame);
    const Value points = undistort.out<Points>();
    const auto used = [&](bool picks_ids, std::vector<int> ids) {
      solve.live.picks_ids = picks_ids;
      solve.live.localization_ids = std::move(ids);
      solve.run({&points, nullptr}, frame);
      const FieldPoses& poses = solve.out<FieldPoses>();
      return poses.empty() ? 0 : poses.front().tag_count;
    };
    const int all = used(false, {});
    expect(all >= 10, text("%d tags are used", all));
    expect(used(true, {1, 5, 6, 99}) == 3 && used(true, {}) == 0 && used(true, {77}) == 0, "others are used");
    expect(used(false, {1}) == all, "the list stays");
    return text("%d tags", all);
  });
});

}  // namespace
}  // namespace vedette::test
