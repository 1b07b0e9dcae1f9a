// Any picture comes to an end, and says nothing where there is no tag.
#include <chrono>

#include "answers.h"
#include "patterns.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

const std::vector<FoundTag>& look(const Picture& picture, int max_wrong, double decimate, double blur_px) {
  static std::map<std::pair<int, int>, TagScan> scans;
  auto at = scans.find({max_wrong, blur_px > 0});
  if (at == scans.end())
    at = scans
             .emplace(std::piecewise_construct, std::tuple{std::pair{max_wrong, static_cast<int>(blur_px > 0)}},
                      std::tuple{all_kinds(max_wrong), blur_px})
             .first;
  return at->second.find(picture.view(), decimate);
}

/** In all ways; throws where a family of many bits is seen. */
void expect_nothing(const Picture& picture, const std::string& name) {
  for (const double decimate : {1.0, 1.5, 2.0, 8.0})
    for (const double blur_px : {0.0, 0.8})
      for (const FoundTag& tag : look(picture, 2, decimate, blur_px)) {
        expect(is_sane(tag), "a tag that is nowhere is seen in " + name);
        expect(tag.family == &family_named("tag16h5"), text("%s %d is seen in ", tag.family->name, tag.id) + name);
      }
}

/** A sheet whose marked square goes from the one place to the other, both in x and y. */
Quad sheet_around(const apriltag_family_t& family, float left, float top, float side_px) {
  const float border =
      side_px * static_cast<float>(family.total_width - family.width_at_border) / 2 / family.width_at_border;
  Quad out = square_of(-border, side_px + border);
  for (cv::Point2f& corner : out) corner += cv::Point2f{left, top};
  return out;
}

const Suite suite([] {
  test("pictures of any size and any pattern, from one pixel on, come to an end without a tag", [] {
    int pictures = 0;
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{{1, 1},
                                                                        {1, 40},
                                                                        {40, 1},
                                                                        {3, 3},
                                                                        {7, 7},
                                                                        {8, 7},
                                                                        {7, 8},
                                                                        {8, 8},
                                                                        {9, 31},
                                                                        {31, 9},
                                                                        {8, 100},
                                                                        {100, 8},
                                                                        {64, 64},
                                                                        {200, 150}})
      for (const Pattern& each : patterns(width, height)) {
        expect_nothing(Picture(width, height, each.grey), each.name + text(" of %dx%d", width, height));
        pictures++;
      }
    return text("%d pictures", pictures);
  });

  test("noise in which libapriltag reads tags of few bits has none, since they have no border", [] {
    const std::vector<SoughtFamily> sought{{&family_named("tag16h5"), 2}};
    Reference reference(sought);
    TagScan scan(sought);
    size_t read = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
      const Picture picture = noise(400, 300, seed);
      read += reference.find(picture.view()).size();
      const size_t found = scan.find(picture.view(), 1).size();
      expect(found == 0, text("%zu are found", found));
    }
    expect(read > 5, text("libapriltag reads %zu", read));
    return text("libapriltag reads %zu", read);
  });

  test("a tag that fills the picture is found as long as white is seen on one side of it, and nothing else is", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    constexpr float SIDE_PX = 232, MODULE_PX = SIDE_PX / 8;
    struct Margins {
      float left, top, right, bottom;
      bool is_found;
    };
    for (const Margins& each : {Margins{40, 40, 40, 40, true},
                                {20, 20, 20, 20, true},
                                {40, 4, 40, 4, true},
                                {4, 40, 4, 40, true},
                                {40, 40, 4, 4, true},
                                {4, 4, 40, 4, true},
                                {40, 4, 4, 4, true},
                                {4, 4, 4, 40, true},
                                {4, 40, 4, 4, true},
                                {4, 4, 4, 4, false},
                                {0, 0, 40, 0, false},
                                {0, 40, 0, 0, false},
                                {0, 0, 0, 0, false}}) {
      cv::Mat picture =
          wall(static_cast<int>(each.left + SIDE_PX + each.right), static_cast<int>(each.top + SIDE_PX + each.bottom));
      const Quad truth = draw_sheet(picture, printed(family, 77), sheet_around(family, each.left, each.top, SIDE_PX));
      const std::vector<FoundTag>& found = look(Picture(picture), 1, 1, 0);
      int here = 0;
      for (const FoundTag& tag : found) {
        expect(is_sane(tag) && (tag.family == &family_named("tag16h5") || (tag.family == &family && tag.id == 77)),
               text("%s %d is seen", tag.family->name, tag.id));
        if (tag.family != &family) continue;
        here++;
        if (each.is_found) expect(off_px(tag, truth) < 0.5, text("a corner is %.2f px off", off_px(tag, truth)));
      }
      expect(here == each.is_found,
             text("it is found %d times with margins of %g, %g, %g and %g px and modules of %g px", here, each.left,
                  each.top, each.right, each.bottom, MODULE_PX));
    }
    return "";
  });

  test("a tag cut by the border is never seen as another; a whole one is found two pixels from it", [] {
    int cut = 0;
    for (const char* name : {"tag36h11", "tagStandard41h12"}) {
      const apriltag_family_t& family = family_named(name);
      constexpr int SIDE_PX = 48, SIZE_PX = 120;
      for (int edge = 0; edge < 4; edge++)
        for (int gap = -SIDE_PX; gap <= 24; gap++) {
          cv::Mat picture = wall(SIZE_PX, SIZE_PX + 1);
          const float near = static_cast<float>(gap), far = static_cast<float>(SIZE_PX - SIDE_PX - gap), middle = 40;
          draw_sheet(picture, printed(family, 5),
                     edge == 0   ? sheet_around(family, near, middle, SIDE_PX)
                     : edge == 1 ? sheet_around(family, far, middle, SIDE_PX)
                     : edge == 2 ? sheet_around(family, middle, near, SIDE_PX)
                                 : sheet_around(family, middle, far + 1, SIDE_PX));
          int here = 0;
          for (const FoundTag& tag : look(Picture(picture), 1, 1, 0)) {
            expect(is_sane(tag), "a tag that is nowhere is seen");
            if (tag.family == &family_named("tag16h5")) continue;
            expect(tag.family == &family && tag.id == 5,
                   text("%s %d is seen, of which %d px are missing", tag.family->name, tag.id, -gap));
            here++;
          }
          // of a light square two modules outside of it are read
          const int needed = family.reversed_border ? 2 * SIDE_PX / 5 + 1 : 2;
          if (gap >= needed) expect(here == 1, text("%s is found %d times %d px from edge %d", name, here, gap, edge));
          cut += gap < 0;
        }
    }
    return text("%d tags are cut", cut);
  });

  test("pictures as long as places can be counted are read to their end, longer ones in half the size", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    for (const int length : {32767, 32768, 40000, 65535, 65536, 70000})
      for (const bool is_wide : {true, false}) {
        cv::Mat picture = is_wide ? wall(length, 60) : wall(60, length);
        const Quad truth = draw_sheet(picture, printed(family, 9),
                                      is_wide ? sheet_around(family, static_cast<float>(length - 50), 10, 40)
                                              : sheet_around(family, 10, static_cast<float>(length - 50), 40));
        const std::vector<FoundTag>& found = look(Picture(picture), 1, 1, 0);
        // it has 15 pixels across there
        if (length > 65535)
          expect(found.size() <= 1, text("%zu tags are found in a picture of %d px", found.size(), length));
        else
          expect(found.size() == 1 && found[0].id == 9 && off_px(found[0], truth) < 0.3,
                 text("%zu tags are found at the end of %d px", found.size(), length));
      }
    return "";
  });

  test("noise beyond the memory is looked at in half the size, where a large tag in it is found", [] {
    Dice dice(5);
    const apriltag_family_t& family = family_named("tag36h11");
    cv::Mat picture(2500, 2600, CV_8UC1);
    for (int y = 0; y < picture.rows; y++)
      for (int x = 0; x < picture.cols; x++) picture.at<uint8_t>(y, x) = static_cast<uint8_t>(dice.below(256));
    const Quad truth = draw_sheet(picture, printed(family, 21), sheet_around(family, 700, 900, 320));
    TagScan scan(all_kinds(1));
    const std::vector<FoundTag>& found = scan.find(Picture(picture).view(), 1);
    expect(scan.was_too_much(), "all of it was looked at");
    expect(found.size() == 1 && found[0].id == 21 && off_px(found[0], truth) < 0.3,
           text("%zu tags are found", found.size()));
    scan.find(noise(600, 400).view(), 1);
    expect(!scan.was_too_much(), "the next picture is too much, too");
    return "";
  });

  test("of each picture it is known whether it had too much noise or length at the size asked for", [] {
    const std::vector<SoughtFamily> sought = all_kinds(1);
    TagScan scan(sought);
    TagSearch& search = scan;
    const auto is_too_much = [&](const Picture& picture, double decimate) {
      search.find(picture.view(), decimate);
      return search.was_too_much();
    };
    const Picture full = noise(3000, 2900), ordinary(wall(640, 400));
    expect(is_too_much(full, 1), "noise of 8.7 megapixels is not");
    expect(!is_too_much(ordinary, 1), "an ordinary picture after it is");
    expect(!is_too_much(full, 2), "its noise is too much in half the size as well");
    expect(is_too_much(Picture(wall(32768, 40)), 1) && !is_too_much(Picture(wall(32767, 40)), 1),
           "the length is another");
    return "";
  });

  if (takes_its_time)
    test("large pictures come to an end", [] {
      std::string figures;
      for (const Pattern& each : patterns(4096, 4096)) {
        if (each.name.find("noise") == std::string::npos && each.name.find(" 1 px") == std::string::npos &&
            each.name != "comb")
          continue;
        const Picture picture(4096, 4096, each.grey);
        const auto began = std::chrono::steady_clock::now();
        TagScan scan(all_kinds(2));
        for (const FoundTag& tag : scan.find(picture.view(), 1))
          expect(is_sane(tag), "a tag that is nowhere is seen in " + each.name);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        figures += each.name + text(" %.1f s; ", took.count());
      }
      return figures;
    });
});

}  // namespace
}  // namespace vedette::test
