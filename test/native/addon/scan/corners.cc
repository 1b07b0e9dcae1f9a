// Where the corners of tags are, and how far that is to be trusted, against where they were drawn.
#include "pattern_fit.h"
#include "printed_pattern.h"
#include "refined_corners.h"
#include "tag_border.h"
#include "tag_edges.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

constexpr const char* KINDS[] = {"tag36h11",       "tag25h9",   "tag16h5",       "tagStandard41h12",
                                 "tagCircle49h12", "aruco_4x4", "aruco_original"};

/** As a detector gives it: about a third of a pixel off. */
FoundTag found(const DrawnTag& tag, Dice& dice) {
  FoundTag out;
  out.family = tag.family, out.id = tag.id;
  for (int i = 0; i < 4; i++) {
    out.corners[i][0] = tag.corners[i].x + (dice.below(61) - 30) / 100.0;
    out.corners[i][1] = tag.corners[i].y + (dice.below(61) - 30) / 100.0;
  }
  return out;
}

/** Of corners' coordinates. refused: tags of which nothing exact is said. */
struct Errors {
  double squares = 0, normed = 0;
  int tags = 0, refused = 0;

  void add(const double (&corners)[4][2], const Quad& truth, double sigma_px) {
    tags++;
    if (!(sigma_px > 0)) {
      refused++;
      return;
    }
    for (int i = 0; i < 4; i++)
      for (const double off : {corners[i][0] - truth[i].x, corners[i][1] - truth[i].y})
        squares += off * off, normed += off * off / (sigma_px * sigma_px);
  }
  double off_px() const { return std::sqrt(squares / (8 * (tags - refused))); }
  double deviations() const { return std::sqrt(normed / (8 * (tags - refused))); }
};

struct Comparison {
  Errors edges, best;
};

void add_noise(cv::Mat& picture, int most, Dice& dice) {
  for (int y = 0; y < picture.rows; y++)
    for (int x = 0; x < picture.cols; x++)
      picture.at<uint8_t>(y, x) =
          cv::saturate_cast<uint8_t>(picture.at<uint8_t>(y, x) + dice.below(2 * most + 1) - most);
}

void compare(const DrawnSheet& sheet, Dice& dice, Comparison& into) {
  const Picture exact(sheet.picture);
  for (const DrawnTag& tag : sheet.tags) {
    FoundTag by_edges = found(tag, dice), best = by_edges;
    const double edges_px = follow_edges(exact.view(), vedette::square_of(*tag.family), by_edges.corners).sigma_px,
                 best_px = refine_corners(exact.view(), best, best.corners);
    into.edges.add(by_edges.corners, tag.corners, edges_px);
    into.best.add(best.corners, tag.corners, best_px);
  }
}

/** A sheet of tags whose modules are that many pixels wide. */
DrawnSheet blurred_sheet(const apriltag_family_t& family, double module_px, double blur_px, int max_noise, Dice& dice) {
  DrawnSheet sheet = sheet_of(family, module_px * family.width_at_border, 480, 360, 91);
  blur(sheet.picture, blur_px);
  add_noise(sheet.picture, max_noise, dice);
  return sheet;
}

/** One tag, steeply aslant: its acute corners have 50 degrees. side_px: the longer way. */
DrawnSheet steep_sheet(const apriltag_family_t& family, float side_px, double turned_deg) {
  DrawnSheet sheet{wall(), {}};
  sheet.draw(family, 7, turned_square({160.3f, 120.7f}, side_px, turned_deg, 0.5f), Samples::scattered);
  blur(sheet.picture, 0.4);
  return sheet;
}

/** One tag turned by less than a degree, begun anywhere within a pixel. */
void all_but_straight(const apriltag_family_t& family, double module_px, Dice& dice, Comparison& into) {
  DrawnSheet sheet{wall(120, 120), {}};
  const double turned_deg = (dice.below(180) - 90) / 100.0;
  const cv::Point2f place{60 + dice.below(100) / 100.0f, 60 + dice.below(100) / 100.0f};
  const Quad corners = turned_square(place, static_cast<float>(module_px * family.total_width), turned_deg);
  sheet.draw(family, dice.below(static_cast<int>(family.ncodes)), corners, Samples::scattered);
  compare(sheet, dice, into);
}

const Suite suite([] {
  test("where modules are small and blurred, the whole pattern gives the corners and their errors", [] {
    Comparison all;
    for (const char* name : KINDS) {
      Dice dice(92);
      Comparison one;
      for (const double module_px : {2.0, 2.6, 3.2})
        for (const int max_noise : {2, 8})
          compare(blurred_sheet(family_named(name), module_px, 0.8, max_noise, dice), dice, one);
      expect(one.best.off_px() < 0.05 && one.best.off_px() < 0.5 * one.edges.off_px(),
             text("%s: off by %.3f px, by the edges %.3f", name, one.best.off_px(), one.edges.off_px()));
      expect(one.best.deviations() > 0.4 && one.best.deviations() < 1.3,
             text("%s: errors are %.2f of what is said", name, one.best.deviations()));
      expect(one.best.refused == 0, text("%s: of %d tags nothing is said", name, one.best.refused));
      all.best.squares += one.best.squares, all.best.tags += one.best.tags, all.edges.squares += one.edges.squares,
          all.edges.tags += one.edges.tags;
    }
    return text("of %d tags off by %.3f px, by the edges %.3f", all.best.tags, all.best.off_px(), all.edges.off_px());
  });

  test("where edges are washed out the pattern begins where the tag was found, and finds the corners all the same", [] {
    Comparison all;
    Dice dice(96);
    for (const int max_noise : {8, 12, 16})
      compare(blurred_sheet(family_named("tag36h11"), 4, 2, max_noise, dice), dice, all);
    expect(all.best.refused == 0, text("of %d tags nothing is said", all.best.refused));
    expect(all.best.off_px() < 0.12, text("off by %.3f px, by the edges %.3f", all.best.off_px(), all.edges.off_px()));
    return text("of %d tags off by %.3f px, by the edges %.3f", all.best.tags, all.best.off_px(), all.edges.off_px());
  });

  test("of sharp tags that lie straight in the rows the edges tell as much as there is to see", [] {
    Comparison all;
    Dice dice(93);
    for (const char* name : {"tag36h11", "tag16h5", "tagCustom48h12"})
      for (int nth = 0; nth < 60; nth++) all_but_straight(family_named(name), 3, dice, all);
    expect(all.best.squares <= 1.4 * all.edges.squares,
           text("the edges alone are off by %.3f px, both by %.3f", all.edges.off_px(), all.best.off_px()));
    return text("of %d tags off by %.3f px", all.best.tags, all.best.off_px());
  });

  test("edges of tags that are seen steeply are followed without the light of their neighbours", [] {
    Comparison all;
    Dice dice(94);
    for (const char* name : {"tag36h11", "tagStandard41h12"})
      for (double turned = 3; turned < 180; turned += 7)
        compare(steep_sheet(family_named(name), 110, turned), dice, all);
    expect(all.edges.off_px() < 0.015, text("off by %.3f px", all.edges.off_px()));
    expect(all.edges.deviations() < 1.4, text("errors are %.2f of what is said", all.edges.deviations()));
    return text("of %d tags off by %.3f px", all.edges.tags, all.edges.off_px());
  });

  test("no tag, another tag and a tag half outside the picture leave the corners as they are", [] {
    const apriltag_family_t& family = family_named("tag36h11");
    Dice dice(95);
    const auto expect_left = [&](const Picture& picture, const FoundTag& tag, const char* what) {
      FoundTag moved = tag;
      expect(refine_corners(picture.view(), moved, moved.corners) == 0, text("%s: something is said", what));
      expect(std::equal(&tag.corners[0][0], &tag.corners[0][0] + 8, &moved.corners[0][0]),
             text("%s: the corners have moved", what));
    };
    DrawnSheet sheet{wall(), {}};
    sheet.draw(family, 7, slanted({160, 120}, 30, 20));
    const FoundTag tag = found(sheet.tags[0], dice);
    expect_left(Picture(wall()), tag, "a wall");
    expect_left(noise(320, 240), tag, "noise");
    FoundTag flat = tag;
    for (int i = 0; i < 4; i++) flat.corners[i][1] = 120;
    expect_left(Picture(sheet.picture), flat, "a line");
    FoundTag tiny = tag;
    for (int i = 0; i < 4; i++)
      for (int axis = 0; axis < 2; axis++) tiny.corners[i][axis] = 100 + (tiny.corners[i][axis] - 100) / 40;
    expect_left(Picture(sheet.picture), tiny, "a speck");
    FoundTag outside = tag;
    for (int i = 0; i < 4; i++) outside.corners[i][0] -= 160;
    expect_left(Picture(sheet.picture), outside, "outside");
    blur(sheet.picture, 1);
    FoundTag other = tag;
    other.id = 8;
    double fitted[4][2];
    std::copy(&tag.corners[0][0], &tag.corners[0][0] + 8, &fitted[0][0]);
    const PatternExactness pattern = fit_pattern(view_of(sheet.picture), family, other.id, 0, fitted);
    expect(pattern.sigma_px == 0 || pattern.sigma_px > 0.2 || pattern.outside > 0.08,
           text("another tag: fits within %.3f px, %.2f outside", pattern.sigma_px, pattern.outside));
    return "";
  });

  test("a pixel's light is shared out among the modules, and changes with its place as is said", [] {
    const PrintedPattern pattern(family_named("tag36h11"), 11);
    // Four pixels at once, each elsewhere on the tag, so that none has what is another's.
    const auto shade_at = [&](Floats u, Floats v, Floats reach) {
      Boundaries across, down;
      expect(across.see(u, reach, pattern.across) && down.see(v, reach, pattern.across), "the reach is too far");
      return shade_of(pattern, across, down);
    };
    Dice dice(96);
    for (int nth = 0; nth < 2000; nth++) {
      Floats us, vs, reaches;
      for (int lane = 0; lane < LANES; lane++) {
        us[lane] = 0.05f + dice.below(990) / 100.0f, vs[lane] = 0.05f + dice.below(990) / 100.0f;
        reaches[lane] = 0.1f + dice.below(200) / 100.0f;
      }
      const int lane = nth % LANES;
      const float u = us[lane], v = vs[lane], reach = reaches[lane], step = 0.004f;
      const Shade shades = shade_at(us, vs, reaches);
      const auto change = [&](Floats du, Floats dv, Floats wider) {
        const Floats more = shade_at(us + du, vs + dv, reaches * (1 + wider)).white;
        const Floats less = shade_at(us - du, vs - dv, reaches * (1 - wider)).white;
        return (more[lane] - less[lane]) / (2 * step);
      };
      const Floats none{}, some = all_lanes(step);
      const float by_x = change(some, none, none), by_y = change(none, some, none), by_blur = change(none, none, some);
      struct {
        float white, by_x, by_y, by_blur, known;
      } const shade{shades.white[lane], shades.by_x[lane], shades.by_y[lane], shades.by_blur[lane], shades.known[lane]};
      const float near = 0.04f / reach + 0.01f;
      expect(std::fabs(shade.by_x - by_x) < near && std::fabs(shade.by_y - by_y) < near &&
                 std::fabs(shade.by_blur - by_blur) < near,
             text("at (%.2f, %.2f), reach %.2f: (%.3f, %.3f, %.3f) is said, (%.3f, %.3f, %.3f) seen", u, v, reach,
                  shade.by_x, shade.by_y, shade.by_blur, by_x, by_y, by_blur));
      expect(shade.white >= -1e-5f && shade.white <= 1 + 1e-5f && shade.known <= 1 + 1e-5f, "more light than there is");
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
