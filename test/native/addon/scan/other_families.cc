// What is a tag of another family is none of those that are sought.
#include "noise.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

const Suite suite([] {
  test("small tags of other families are hardly ever read as one that is sought, however often they are tried", [] {
    const std::vector<SoughtFamily> sought{
        {&family_named("tag36h11"), 2}, {&family_named("tag25h9"), 1}, {&family_named("aruco_5x5"), 0}};
    TagScan scan(sought);
    int seen = 0;
    std::map<std::string, int> found;
    for (const char* name : {"aruco_original", "aruco_4x4", "aruco_6x6", "tag16h5", "tag36h10"})
      for (const double side_px : {9, 12, 16, 22, 30})
        for (const uint64_t seed : {1, 2, 3, 4}) {
          DrawnSheet sheet =
              sheet_of(family_named(name), side_px, 640, 480, 977 * seed + static_cast<uint64_t>(side_px));
          if (seed % 3 == 1) blur(sheet.picture, side_px / 16);
          if (seed % 2 == 1) make_noisy(sheet.picture, 1, 10, seed);
          for (const FoundTag& tag : scan.find(view_of(sheet.picture), 1)) found[tag.family->name]++;
          seen += static_cast<int>(sheet.tags.size());
        }
    std::string words = text("of %d tags", seen);
    for (const auto& [name, count] : found) words += text(", %s %d", name.c_str(), count);
    // Of so many one reading of each would take 2.8 for one of aruco_5x5 and 2.5 for one of tag25h9.
    expect(found["tag36h11"] == 0 && found["tag25h9"] + found["aruco_5x5"] <= 5, words);
    return words;
  });
});

}  // namespace
}  // namespace vedette::test
