// Tags of each family, printed by libapriltag, slanted and out of focus, against where they were drawn.
#include "printed.h"
#include "tag_edges.h"

namespace vedette::test {
namespace {

constexpr const char* ENGINES[] = {"reference", "vedette"};

/** Of AprilTags, or of all ArUco markers of one size. */
OneNode detector(const std::vector<std::string>& families, double decimate, double bits, const std::string& engine) {
  const bool is_aruco = families[0].rfind("aruco_", 0) == 0;
  const std::vector<std::string> dictionaries{
      is_aruco && families[0] != "aruco_original" ? families[0].substr(6) + "_1000" : "original"};
  return OneNode(is_aruco ? "aruco" : "apriltag", {{"families", families},
                                                   {"dictionaries", dictionaries},
                                                   {"engine", engine},
                                                   {"mode", std::string("full")},
                                                   {"decimate", decimate},
                                                   {"blur", 0.0},
                                                   {"threads", 1.0},
                                                   {"refine", true},
                                                   {"min_margin", std::vector<double>(families.size(), 5)},
                                                   {"max_hamming", std::vector<double>(families.size(), bits)},
                                                   {"ids", std::vector<double>{}}});
}

const Detections& tags_in(OneNode& node, const cv::Mat& picture) {
  const Value image = image_of(picture, ImageFormat::gray, {});
  node.run({&image});
  return node.out<Detections>();
}

const Suite suite([] {
  for (int nth = 0; nth < 2 * TAG_FAMILY_COUNT; nth++) {
    const int family = nth / 2;
    const std::string name = TAG_FAMILIES[family], engine = ENGINES[nth % 2];
    test((name + " is found by " + engine + " with its id, turned any way, slanted and out of focus").c_str(), [&] {
      const FamilyOwner made = make_family(name);
      double most = 0;
      for (const double decimate : {1.0, 2.0}) {
        OneNode node = detector({name}, decimate, 0, engine);
        int sheet = 0;
        for (const double turned : {0.0, 30.0, 95.0, 200.0, 290.0}) {
          const int id = 1 + static_cast<int>(made->ncodes - 3) * sheet++ / 4;  // from the first ones to the last ones
          cv::Mat picture = wall();
          const Quad truth = draw_sheet(picture, printed(*made, id), slanted({161.3f, 118.6f}, 130, turned));
          blur(picture, 0.9);
          const Detections& tags = tags_in(node, picture);
          expect(tags.size() == 1,
                 text("%zu tags are found, turned by %g, decimated by %g", tags.size(), turned, decimate));
          expect(tags[0].family == family && tags[0].id == id && tags[0].hamming == 0,
                 text("%d is seen as %s %d with %d bits corrected", id, TAG_FAMILIES[tags[0].family], tags[0].id,
                      tags[0].hamming));
          expect(tags[0].sigma_px != PLAIN_SIGMA_PX, "its edges cannot be followed");
          most = std::max(most, off_px(tags[0], truth));
        }
      }
      expect(most < 0.3, text("a corner is %.2f px off", most));
      return text("%.3f px off at most", most);
    });
  }

  test("a tag in the hole of another is found beside it, and nothing else is found twice", [] {
    const FamilyOwner outer = make_family("tagCustom48h12"), inner = make_family("tag36h11");
    cv::Mat picture = wall();
    draw_sheet(picture, printed(*outer, 7), square_of(20, 220));  // modules of 20 px: the hole is 40 px wide
    draw_sheet(picture, printed(*inner, 5), square_of(103, 137));
    for (const char* engine : ENGINES) {
      OneNode node = detector({"tagCustom48h12", "tag36h11", "tag16h5"}, 1, 0, engine);
      const Detections& tags = tags_in(node, picture);
      expect(tags.size() == 2, text("%zu tags are found by %s", tags.size(), engine));
      expect(tags[0].id + tags[1].id == 12, text("they are others by %s", engine));
    }
    return "";
  });

  test("no family is found in the negative of its tags", [] {
    for (const char* name : {"tag36h11", "tagStandard41h12"}) {
      const FamilyOwner made = make_family(name);
      cv::Mat picture = wall();
      draw_sheet(picture, printed(*made, 3), square_of(60, 180));
      for (const char* engine : ENGINES) {
        OneNode node = detector({name}, 1, 0, engine);
        expect(tags_in(node, picture).size() == 1, "it is not found as it is drawn");
        expect(tags_in(node, 255 - picture).empty(), "it is found as its negative");
      }
    }
    return "";
  });

  test("a family whose table would take gigabytes is refused, where there is a table", [] {
    const Fault fault = fault_of([] { detector({"tagStandard52h13"}, 1, 2, "reference"); });
    expect(fault.code == "engine.bad_task", "it is made");
    expect(fault_of([] { detector({"tagStandard52h13"}, 1, 2, "vedette"); }).code.empty(),
           "it is refused where there is none");
    return fault.detail;
  });
});

}  // namespace
}  // namespace vedette::test
