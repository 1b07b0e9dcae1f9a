// What libapriltag finds at all pixels is found, and where it is.
#include "noise.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

// The smallest of these are at the end of what can be read: there either detector finds some that the other does not.
// From SURE_PX on there is no chance in it.
constexpr double SIDES_PX[] = {10, 11, 12, 13, 14, 16, 18, 20, 24, 30, 40, 55, 80, 120}, SURE_PX = 16, EXACT_PX = 18;
constexpr float SURE_MODULE_PX = 2;
constexpr double MAX_BY_CHANCE = 0.1;  // of the tags that libapriltag finds

struct Count {
  int drawn = 0, reference = 0, ours = 0, reference_alone = 0;
  double max_px = 0;

  void add(const Count& other) {
    drawn += other.drawn, reference += other.reference, ours += other.ours, reference_alone += other.reference_alone;
    max_px = std::max(max_px, other.max_px);
  }
  std::string words() const {
    return text("of %d tags %d, libapriltag %d, of which %d alone", drawn, ours, reference, reference_alone);
  }
};

/** The tags of one picture. max_px: of all that are found. */
Count compare(const DrawnSheet& sheet, Reference& reference, TagScan& scan, double side_px, double decimate = 1) {
  const GreyView view = view_of(sheet.picture);
  const std::vector<FoundTag> theirs = reference.find(view), ours = scan.find(view, decimate);
  Count count;
  for (const DrawnTag& tag : sheet.tags) {
    double x = 0, y = 0;
    for (const cv::Point2f& corner : tag.corners) x += corner.x / 4, y += corner.y / 4;
    const bool is_theirs = tag_at(theirs, tag.family, tag.id, x, y, side_px / 3) != nullptr;
    const FoundTag* own = tag_at(ours, tag.family, tag.id, x, y, side_px / 3);
    count.add({1, is_theirs, own != nullptr, is_theirs && !own, own ? off_px(*own, tag.corners) : 0});
  }
  return count;
}

/**
 * Sheets whose modules are so many pixels wide, turned by quarters or eighths; upright ones begin `aside` behind the
 * edge of a pixel.
 */
DrawnSheet upright_sheet(const apriltag_family_t& family, float module_px, double turned_deg, float aside) {
  constexpr int SIZE_PX = 180;
  DrawnSheet out{wall(SIZE_PX, SIZE_PX), {}};
  const float whole_px = module_px * static_cast<float>(family.total_width), pitch_px = std::ceil(1.5f * whole_px) + 9;
  int id = 0;
  for (float y = 4; y + pitch_px <= SIZE_PX; y += pitch_px)
    for (float x = 4; x + pitch_px <= SIZE_PX; x += pitch_px) {
      const float half = whole_px / 2;
      const cv::Point2f middle{std::floor(x + pitch_px / 2 - half) + half + aside,
                               std::floor(y + pitch_px / 2 - half) + half + aside};
      out.draw(family, id++ % static_cast<int>(family.ncodes), turned_square(middle, whole_px, turned_deg));
    }
  return out;
}

/**
 * A sheet whose normal is so many degrees from the way one looks, turned in the picture. Far enough away that its far
 * side is no shorter.
 */
Quad seen_aside(cv::Point2f place, float side_px, double aside_deg, double turned_deg) {
  const auto width = static_cast<float>(std::cos(aside_deg * CV_PI / 180)),
             c = static_cast<float>(std::cos(turned_deg * CV_PI / 180)),
             s = static_cast<float>(std::sin(turned_deg * CV_PI / 180));
  Quad out = square_of(-side_px / 2, side_px / 2);
  for (cv::Point2f& corner : out)
    corner = place + cv::Point2f{c * width * corner.x - s * corner.y, s * width * corner.x + c * corner.y};
  return out;
}

const Suite suite([] {
  for (const char* name : {"tag36h11", "tag16h5", "tagStandard41h12", "tagCircle21h7"})
    test(text("each %s that libapriltag finds is found where its edges go along the pixels, or slant by half a right "
              "angle",
              name)
             .c_str(),
         [=] {
           const std::vector<SoughtFamily> sought{{&family_named(name), 0}};
           Reference reference(sought);
           TagScan scan(sought);
           Count count;
           for (const float module_px : {1.5f, 2.f, 2.5f, 3.f, 6.f, 11.f})
             for (const double turned_deg : {0, 45, 90, 180, 270})
               for (const float aside : {0.f, 0.25f, 0.5f}) {
                 const Count now = compare(upright_sheet(*sought[0].family, module_px, turned_deg, aside), reference,
                                           scan, 3 * module_px);
                 if (module_px >= SURE_MODULE_PX)
                   expect(now.reference_alone == 0,
                          text("modules of %g px, turned by %g, %g px aside: ", module_px, turned_deg, aside) +
                              now.words());
                 count.add(now);
               }
           expect(count.reference > count.drawn / 2 && count.ours >= 0.95 * count.reference, count.words());
           return count.words();
         });

  test("a tag is found that is seen from 80 degrees aside, however it lies", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    TagScan scan({{&family, 0}});
    for (const double turned_deg : {0, 15, 30, 45, 60, 75}) {
      DrawnSheet sheet{wall(400, 400), {}};
      sheet.draw(family, 7, seen_aside({200, 200}, 320, 80, turned_deg));
      const std::vector<FoundTag>& found = scan.find(view_of(sheet.picture), 1);
      expect(found.size() == 1 && found[0].id == 7, text("turned by %g degrees: %zu tags", turned_deg, found.size()));
      expect(off_px(found[0], sheet.tags[0].corners) < 1,
             text("turned by %g degrees: %.2f px off", turned_deg, off_px(found[0], sheet.tags[0].corners)));
    }
    return "";
  });

  test("of tags of 9 px in a noisy picture eight times as many are found as by libapriltag", [] {
    const std::vector<SoughtFamily> sought{{&family_named("tag36h11"), 1}};
    Reference reference(sought);
    TagScan scan(sought);
    Count count;
    for (uint64_t seed = 1; seed <= 8; seed++) {
      DrawnSheet sheet = sheet_of(*sought[0].family, 9, 420, 420, seed);
      make_noisy(sheet.picture, 1, 10, seed);
      count.add(compare(sheet, reference, scan, 9));
    }
    expect(count.ours > 8 * count.reference, count.words());
    return count.words();
  });

  test("in a picture of half the size as many tags are found as by libapriltag, also small ones", [] {
    std::string figures;
    for (const char* name : {"tag36h11", "tagStandard41h12"}) {
      const std::vector<SoughtFamily> sought{{&family_named(name), 1}};
      Reference reference(sought, 2);
      TagScan scan(sought);
      Count count;
      for (const double side_px : {14, 16, 18, 20, 24}) {
        const Count now = compare(sheet_of(*sought[0].family, side_px, 420, 420, 300 + static_cast<uint64_t>(side_px)),
                                  reference, scan, side_px, 2);
        expect(now.reference > 0 && now.ours >= 0.8 * now.reference,
               text("%s of %g px: ", name, side_px) + now.words());
        count.add(now);
      }
      expect(count.ours >= count.reference, count.words());
      figures += (figures.empty() ? "" : "; ") + std::string(name) + ": " + count.words();
    }
    return figures;
  });

  for (const char* name : {"tag36h11", "tagStandard41h12", "tag25h9"})
    for (const double blur_px : {0.0, 0.7}) {
      const std::vector<SoughtFamily> sought{{&family_named(name), 1}};
      Reference reference(sought);
      TagScan scan(sought);
      Count small, large;
      double exact_px = 0;
      for (const double side_px : SIDES_PX)
        for (int seed = 1; seed <= (side_px > 50 ? 4 : 2); seed++) {
          DrawnSheet sheet =
              sheet_of(*sought[0].family, side_px, 420, 420, 100 * seed + static_cast<uint64_t>(side_px));
          if (blur_px > 0) blur(sheet.picture, blur_px);
          const Count count = compare(sheet, reference, scan, side_px);
          (side_px < SURE_PX ? small : large).add(count);
          if (side_px >= EXACT_PX) exact_px = std::max(exact_px, count.max_px);
        }
      const std::string how = text("%s that are turned, aslant and blurred by %g px", name, blur_px);
      test(("each of the " + how + text(" that libapriltag finds is found, from %g to 120 px", SURE_PX)).c_str(), [&] {
        expect(large.reference > 0.9 * large.drawn, "libapriltag finds few: " + large.words());
        expect(large.reference_alone == 0, large.words());
        return large.words();
      });
      test(("of the " + how + " more are found than by libapriltag, from 10 to 14 px").c_str(), [&] {
        expect(small.reference > 100, "libapriltag finds few: " + small.words());
        expect(small.ours >= small.reference && small.reference_alone <= MAX_BY_CHANCE * small.reference,
               small.words());
        return small.words();
      });
      if (blur_px > 0) continue;
      test(text("corners of sharp %s of %g px and more are within 0.3 px of the truth", name, EXACT_PX).c_str(), [&] {
        expect(exact_px < 0.3, text("one is %.2f px off", exact_px));
        return text("%.3f px off at most", exact_px);
      });
    }
});

}  // namespace
}  // namespace vedette::test
