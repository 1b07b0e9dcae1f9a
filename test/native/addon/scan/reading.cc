// Which quadrilaterals are worth being read, and what is read of them.
#include "tag_reader.h"

#include <algorithm>
#include <cmath>

#include "tag_sheets.h"

namespace vedette::test {
namespace {

/** As a border's outline gives it: clockwise, and off by so much. */
vedette::Quad outline_of(const Quad& corners, double off_px, bool is_black_inside) {
  vedette::Quad out{{}, is_black_inside};
  for (int i = 0; i < 4; i++) {
    out.corners[i][0] = corners[3 - i].x + (i % 2 ? off_px : -off_px);
    out.corners[i][1] = corners[3 - i].y + (i / 2 ? off_px : -off_px);
  }
  return out;
}

/** The first so many sides farther out by off_px. */
vedette::Quad with_sides_off(const vedette::Quad& quad, int sides, double off_px) {
  vedette::Quad out = quad;
  for (int i = 0; i < sides; i++) {
    const double(&from)[2] = quad.corners[i], (&to)[2] = quad.corners[(i + 1) % 4];
    const double x = to[0] - from[0], y = to[1] - from[1], share = off_px / std::hypot(x, y);
    for (const int corner : {i, (i + 1) % 4}) out.corners[corner][0] += share * y, out.corners[corner][1] -= share * x;
  }
  return out;
}

const Suite suite([] {
  test("tags of every kind may say something before their corners are exact, small, blurred and dim", [] {
    int seen = 0;
    for (const char* name :
         {"tag36h11", "tag25h9", "tag16h5", "tagStandard41h12", "tagCircle21h7", "aruco_4x4", "aruco_original"}) {
      const apriltag_family_t& family = family_named(name);
      const TagReader reader({&family, 0});
      for (const double module_px : {2.0, 3.0, 8.0}) {
        DrawnSheet sheet = sheet_of(family, module_px * family.width_at_border, 480, 400, 71);
        blur(sheet.picture, 0.7);
        sheet.picture = 0.1 * sheet.picture + 20;
        for (const DrawnTag& tag : sheet.tags) {
          const vedette::Quad rough = outline_of(tag.corners, 0.5, !family.reversed_border);
          expect(reader.may_say_something(view_of(sheet.picture), rough),
                 text("%s %d, modules of %.0f px, is taken for an empty square", name, tag.id, module_px));
          seen++;
        }
      }
    }
    return text("%d tags", seen);
  });

  test("what leaves a part of its outline out says nothing where the border is not where it should be", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    const TagReader reader({&family, 0});
    DrawnSheet sheet = sheet_of(family, 40, 480, 400, 73);
    for (const DrawnTag& tag : sheet.tags)
      for (const double off_px : {1.0, 12.0}) {
        vedette::Quad rough = outline_of(tag.corners, off_px, true);
        expect(reader.may_say_something(view_of(sheet.picture), rough),
               text("%d, %g px off, all of the outline: is not looked at", tag.id, off_px));
        rough.is_part = true;
        expect(reader.may_say_something(view_of(sheet.picture), rough) == (off_px < 5),
               text("%d, %g px off, a part of the outline", tag.id, off_px));
      }
    return text("%zu tags", sheet.tags.size());
  });

  test("a square of one grey says nothing, nor does one with a little dirt on it, or half out of the picture", [] {
    cv::Mat picture = wall();
    const cv::Rect square(100, 80, 60, 60);
    picture(square) = 30;
    const TagReader reader({&family_named("tag36h11"), 1});
    const Quad corners{{{100, 140}, {160, 140}, {160, 80}, {100, 80}}};
    expect(!reader.may_say_something(view_of(picture), outline_of(corners, 0, true)),
           "an empty square may say something");
    Dice dice(72);
    for (int y = square.y; y < square.br().y; y++)
      for (int x = square.x; x < square.br().x; x++)
        picture.at<uint8_t>(y, x) = static_cast<uint8_t>(30 + dice.below(20));
    expect(!reader.may_say_something(view_of(picture), outline_of(corners, 1, true)), "dirt may say something");
    const GreyView part{picture.ptr(100) + 120, 200, 140, static_cast<int>(picture.step)};
    const Quad outside{{{-20, 40}, {40, 40}, {40, -20}, {-20, -20}}};
    expect(!reader.may_say_something(part, outline_of(outside, 0, true)), "half an empty square may say something");
    return "";
  });

  test("small blurred tags with sides beside their edges are read, with the corners of their outlines", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    TagReader reader({&family, 0});
    constexpr double MODULE_PX = 2;
    DrawnSheet sheet = sheet_of(family, MODULE_PX * family.width_at_border, 480, 400, 74);
    blur(sheet.picture, 0.5 * MODULE_PX);
    int seen = 0, read = 0;
    for (const DrawnTag& tag : sheet.tags)
      for (const int sides : {1, 4})
        for (const double off_px : {-0.2 * MODULE_PX, 0.2 * MODULE_PX}) {
          const vedette::Quad rough = with_sides_off(outline_of(tag.corners, 0, true), sides, off_px);
          const std::optional<FoundTag> found = reader.read(view_of(sheet.picture), rough, rough);
          seen++;
          if (!found) continue;
          read++;
          expect(found->id == tag.id, text("%d is read as %d", tag.id, found->id));
          for (const double(&corner)[2] : found->corners)
            expect(std::any_of(
                       &rough.corners[0], &rough.corners[4],
                       [&](const double(&of)[2]) { return std::hypot(of[0] - corner[0], of[1] - corner[1]) < 1e-6; }),
                   text("%d has a corner that the outline has not", tag.id));
        }
    expect(read > seen / 2, text("of %d outlines %d are read", seen, read));
    return text("of %d outlines %d", seen, read);
  });

  test("a tag is read with as many wrong bits as may be, and with no more", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    const DrawnSheet sheet = sheet_of(family, 40, 480, 400, 75);
    for (const uint64_t wrong_bits : {0b0ULL, 0b1ULL, 0b1001ULL, 0b10101ULL}) {
      const int wrong = __builtin_popcountll(wrong_bits);
      std::vector<uint64_t> codes(family.codes, family.codes + family.ncodes);
      for (uint64_t& code : codes) code ^= wrong_bits;
      apriltag_family_t other = family;
      other.codes = codes.data();
      for (int most = 0; most <= TagCodes::MAX_WRONG; most++) {
        TagReader reader({&other, most});
        for (const DrawnTag& tag : sheet.tags) {
          const vedette::Quad rough = outline_of(tag.corners, 0, true);
          const std::optional<FoundTag> found = reader.read(view_of(sheet.picture), rough, rough);
          if (wrong > most)
            expect(!found, text("%d is read with %d wrong bits, of which %d may be", tag.id, wrong, most));
          else
            expect(found && found->id == tag.id && found->hamming == wrong,
                   text("%d with %d wrong bits is not read, of which %d may be", tag.id, wrong, most));
        }
      }
    }
    return text("%zu tags", sheet.tags.size());
  });
});

}  // namespace
}  // namespace vedette::test
