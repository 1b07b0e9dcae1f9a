// What a detector makes of its parameters, and where its tags lie.
#include <filesystem>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

using Settings = std::vector<std::pair<std::string, Param>>;

Settings settings(const Settings& changes = {}) {
  Settings all{{"families", std::vector<std::string>{"tag36h11"}},
               {"decimate", 1.0},
               {"blur", 0.0},
               {"engine", std::string("reference")},
               {"mode", std::string("full")},
               {"threads", 1.0},
               {"refine", false},
               {"min_margin", std::vector<double>{5}},
               {"max_hamming", std::vector<double>{1}},
               {"ids", std::vector<double>{}}};
  all.insert(all.end(), changes.begin(), changes.end());
  return all;
}

Detections found(const Value& picture, const Settings& changes = {}) {
  OneNode detector("apriltag", settings(changes));
  detector.run({&picture});
  return detector.out<Detections>();
}

/** Four walls of the same twelve tags. */
cv::Mat four_walls() {
  const GrayImage wall = wall_of_tags();
  cv::Mat out;
  cv::repeat(view_of(std::get<Image>(source_value(wall))), 2, 2, out);
  return out;
}

struct Told : WarningSink {
  std::vector<Fault> warnings;
  bool is_too_full = false;
  void add(const Fault& fault) override { warnings.push_back(fault); }
};

/** What a detector says besides what it finds. */
Told told(OneNode& detector, const Value& picture) {
  Told out;
  Frame frame;
  detector.node().process({frame, Pose{}, &out, &detector.live, nullptr, &out.is_too_full}, detector.ports({&picture}));
  return out;
}

const Suite suite([] {
  test("the other engine finds the tags that the reference finds, at the same corners", [] {
    std::vector<GrayImage> pictures = photographs();
    const size_t real = pictures.size();
    pictures.push_back(wall_of_tags());
    Shift all;
    for (const GrayImage& each : pictures) {
      const Value picture = source_value(each);
      const Shift shift = shift_of(found(picture, {{"refine", true}}),
                                   found(picture, {{"refine", true}, {"engine", std::string("vedette")}}));
      expect(shift.tags > 0 && shift.lost == 0, text("%d tags are found, %d are not", shift.tags, shift.lost));
      all.add(shift);
    }
    expect(all.max_px < 0.5, all.words());
    return text("%zu photographs, ", real) + all.words();
  });

  test("tags followed while the camera pans are those found in each whole picture, by either engine", [] {
    const cv::Mat walls = four_walls();
    std::string figures;
    for (const char* engine : {"reference", "vedette"}) {
      const Settings same{{"engine", std::string(engine)}, {"refine", true}};
      Settings following = same;
      following.push_back({"mode", std::string("tracked")});
      OneNode detector("apriltag", settings(following));
      Shift all;
      for (int nth = 0; nth < 24; nth++) {
        const cv::Mat seen = walls(cv::Rect(9 * nth, 5 * nth, 900, 700));
        const Value picture = Image{seen.data, seen.cols, seen.rows, static_cast<int>(seen.step)};
        Frame frame;
        frame.width = seen.cols, frame.height = seen.rows;
        frame.captured_us = 1'000'000 + 33'333 * nth;
        detector.run({&picture}, frame);
        all.add(shift_of(found(picture, same), detector.out<Detections>()));
      }
      // One that has come in is found within a lap.
      expect(all.tags > 200 && all.lost * 20 < all.tags && all.max_px < 0.1,
             text("%s: %s, %d lost", engine, all.words().c_str(), all.lost));
      figures += text("%s%s: %s, %d not yet seen", figures.empty() ? "" : "; ", engine, all.words().c_str(), all.lost);
    }
    return figures;
  });

  test("between the factors that libapriltag has, decimate is as the one below", [] {
    const GrayImage wall = wall_of_tags();
    const Value picture = source_value(wall);
    std::string figures;
    for (const auto& [asked, is] :
         {std::pair{1.0, 1.0}, {1.25, 1.0}, {1.5, 1.5}, {1.9, 1.0}, {2.0, 2.0}, {2.5, 2.0}, {3.0, 3.0}, {3.75, 3.0}}) {
      const Detections some = found(picture, {{"decimate", asked}}), same = found(picture, {{"decimate", is}});
      const Shift shift = shift_of(same, some);
      expect(shift.tags >= 10 && shift.lost == 0 && shift.max_px == 0,
             text("%g: %s, %d lost", asked, shift.words().c_str(), shift.lost));
    }
    return figures;
  });

  test("tags beyond the horizon of a straightened picture are left out", [] {
    const GrayImage wall = wall_of_tags();
    Value picture = source_value(wall);
    std::get<Image>(picture).to_source.matrix = {1, 0, 0, 0, 1, 0, 0, -1.0 / 300, 1};  // in the middle of it
    const size_t all = found(source_value(wall)).size();
    const Detections seen = found(picture);
    expect(!seen.empty() && seen.size() < all, text("%zu of %zu", seen.size(), all));
    for (const Detection& tag : seen)
      for (const auto& corner : tag.corners)
        expect(std::isfinite(corner[0]) && corner[1] > 0, text("a corner is at (%g, %g)", corner[0], corner[1]));
    return text("%zu of %zu", seen.size(), all);
  });

  test("copies of a tag come in one order, whichever thread is first", [] {
    const cv::Mat walls = four_walls();
    const Value picture = image_of(walls, ImageFormat::gray, {});
    const Detections first = found(picture);
    OneNode detector("apriltag", settings({{"threads", 4.0}}));
    for (int i = 0; i < 25; i++) {
      detector.run({&picture});
      const Detections& again = detector.out<Detections>();
      expect(again.size() == first.size() && first.size() >= 40, text("%zu and %zu", first.size(), again.size()));
      for (size_t k = 0; k < first.size(); k++)
        expect(first[k].id == again[k].id && first[k].center[0] == again[k].center[0] &&
                   first[k].center[1] == again[k].center[1],
               text("picture %d has another order", i));
    }
    return text("%zu tags", first.size());
  });

  test("the other engine uses a second thread where it is given some, with the same answer in either mode", [] {
    const auto threads = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}); };
    const cv::Mat walls = four_walls();
    const Value picture = image_of(walls, ImageFormat::gray, {});
    for (const char* mode : {"full", "tracked"}) {
      const Settings same{{"engine", std::string("vedette")}, {"mode", std::string(mode)}};
      const Detections alone = found(picture, same);
      for (const double asked : {1.0, 2.0, 4.0}) {
        Settings more = same;
        more.push_back({"threads", asked});
        const auto before = threads();
        OneNode detector("apriltag", settings(more));
        expect(threads() - before == (asked > 1),
               text("%g threads make %d more", asked, static_cast<int>(threads() - before)));
        detector.run({&picture});
        const Detections& both = detector.out<Detections>();
        expect(both.size() == alone.size() && both.size() >= 40, text("%zu and %zu tags", both.size(), alone.size()));
        for (size_t k = 0; k < both.size(); k++)
          expect(both[k].id == alone[k].id &&
                     std::equal(&both[k].corners[0][0], &both[k].corners[0][0] + 8, &alone[k].corners[0][0]),
                 "another answer");
      }
    }
    return "";
  });

  test("parameters that are refused change nothing, and families that nobody knows are refused", [] {
    const GrayImage wall = wall_of_tags();
    const Value picture = source_value(wall);
    OneNode detector("apriltag", settings());
    Params odd;
    odd.set("min_margin", std::vector<double>{255});
    expect(fault_of([&] { detector.node().set_params(odd); }).code == "engine.bad_task", "they were taken");
    detector.run({&picture});
    expect(detector.out<Detections>().size() >= 10, "it has another margin");
    const Settings unknown{{"families", std::vector<std::string>{"tag36h11", "tag1"}},
                           {"min_margin", std::vector<double>{5, 5}},
                           {"max_hamming", std::vector<double>{1, 1}}};
    expect(fault_of([&] { OneNode made("apriltag", settings(unknown)); }).code == "engine.bad_task",
           "one that nobody knows");
    return "";
  });

  test("a picture with too much in it gives a warning that names the step, and no other picture does", [] {
    cv::Mat pixels(2900, 3000, CV_8UC1);
    cv::RNG(5).fill(pixels, cv::RNG::UNIFORM, 0, 256);
    const GrayImage wall = wall_of_tags();
    const Value full = image_of(pixels, ImageFormat::gray, {}), ordinary = source_value(wall);
    OneNode detector("apriltag", settings({{"engine", std::string("vedette")}}));
    const Told first = told(detector, full), next = told(detector, ordinary);
    expect(first.is_too_full && first.warnings.size() == 1, text("%zu warnings", first.warnings.size()));
    const Fault& warning = first.warnings.front();
    expect(
        warning.code == "picture.too_full" && warning.detail.find("3000x2900 that step apriltag ") != std::string::npos,
        warning.detail);
    expect(!next.is_too_full && next.warnings.empty(), "the next picture is told, too");
    detector.live.decimate = 2;
    expect(!told(detector, full).is_too_full, "half the size, which a robot wants, is told");
    OneNode reference("apriltag", settings());
    expect(!told(reference, ordinary).is_too_full && told(reference, ordinary).warnings.empty(),
           "libapriltag tells of an ordinary one");
    return warning.detail;
  });

  test("small pictures bear a blur wider than they are", [] {
    for (int side = 16; side < 80; side += 7) {
      const cv::Mat small(side, side, CV_8UC1, cv::Scalar(90));
      expect(found(image_of(small, ImageFormat::gray, {}), {{"blur", 16.0}}).empty(), "there is a tag");
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
