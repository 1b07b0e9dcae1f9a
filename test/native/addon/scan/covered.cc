// Tags of which something covers a part: the outline is not that of a quadrilateral any more.
#include "components.h"
#include "outermost_points.h"
#include "point_order.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

/**
 * Lays something white over a part of a tag. band: a quadrilateral, in modules from the corner of the marked square.
 */
void cover(DrawnSheet& sheet, const DrawnTag& tag, const std::vector<cv::Point2f>& band) {
  constexpr int PLACES = 4;  // of binary digits that fillConvexPoly has beyond whole pixels
  const auto modules = static_cast<float>(tag.family->width_at_border);
  std::vector<cv::Point2f> pixels;
  cv::perspectiveTransform(band, pixels, cv::getPerspectiveTransform(square_of(0, modules).data(), tag.corners.data()));
  std::vector<cv::Point> fine;
  for (const cv::Point2f& each : pixels)
    fine.push_back({cvRound((each.x - 0.5f) * (1 << PLACES)), cvRound((each.y - 0.5f) * (1 << PLACES))});
  cv::fillConvexPoly(sheet.picture, fine, cv::Scalar(220), cv::LINE_AA, PLACES);
}

/**
 * A band across the corner at (0, 0) and the margin beside it: of the black ring it leaves less than half a module
 * there.
 */
const std::vector<cv::Point2f> ACROSS_CORNER{{-0.9f, 1.5f}, {1.5f, -0.9f}, {2.3f, -0.9f}, {-0.9f, 2.3f}};

/** A band across the black ring at the middle of a side, and the modules behind it: the outline goes on inside. */
const std::vector<cv::Point2f> ACROSS_SIDE{{4.2f, -0.9f}, {4.8f, -0.9f}, {4.8f, 1.7f}, {4.2f, 1.7f}};

struct Count {
  int drawn = 0, found = 0, answers = 0, reference = 0;
  double max_px = 0;
  std::string words() const {
    return text("of %d tags %d, by libapriltag %d; %.2f px off at most", drawn, found, reference, max_px);
  }
};

/** bits: that may be wrong. */
Count look(double side_px, int bits, const std::vector<cv::Point2f>& band) {
  const apriltag_family_t& family = family_named("tag36h11");
  DrawnSheet sheet = sheet_of(family, side_px, 700, 500, 900 + static_cast<uint64_t>(side_px));
  for (const DrawnTag& tag : sheet.tags) cover(sheet, tag, band);
  blur(sheet.picture, 0.5);
  TagScan scan({{&family, bits}});
  const std::vector<FoundTag> found = scan.find(view_of(sheet.picture), 1),
                              theirs = Reference({{&family, bits}}).find(view_of(sheet.picture));
  Count count;
  count.answers = static_cast<int>(found.size());
  for (const DrawnTag& tag : sheet.tags) {
    double x = 0, y = 0;
    for (const cv::Point2f& corner : tag.corners) x += corner.x / 4, y += corner.y / 4;
    count.drawn++;
    count.reference += tag_at(theirs, tag.family, tag.id, x, y, side_px / 3) != nullptr;
    const FoundTag* own = tag_at(found, tag.family, tag.id, x, y, side_px / 3);
    if (!own) continue;
    count.found++;
    count.max_px = std::max(count.max_px, off_px(*own, tag.corners));
  }
  return count;
}

/** The points of the border between all that is black and all that is white, by their direction. */
struct Outline {
  Runs black{false}, white{true};
  Borders borders;
  PointOrder order;
  std::vector<BorderPoint> points;
  Border border;

  explicit Outline(const Plane& plane) {
    add_rows(black, plane, BLACK, 1);
    add_rows(white, plane, WHITE, 1);
    borders.find(black, white, plane.height, {true, false});
    borders.make_points({0});
    border = borders.all().at(0);
    const Borders::Points all = borders.points_of(0);
    const BorderPoint* sorted = order.sorted(all.points, all.count, border.box);
    points.assign(sorted, sorted + all.count);
  }
};

/** How deep a point lies within the convex hull of all, px: by lines against them from all sides. */
double depth_px(const std::vector<BorderPoint>& all, BorderPoint point) {
  double least = 1e9;
  for (int i = 0; i < 720; i++) {
    const double x = std::cos(i * CV_PI / 360), y = std::sin(i * CV_PI / 360);
    double outermost = -1e9;
    for (const BorderPoint& each : all) outermost = std::max(outermost, x * each.x + y * each.y);
    least = std::min(least, (outermost - x * point.x - y * point.y) / 2);
  }
  return least;
}

/**
 * A black square of 60 px, turned, in white; is_hole says what of it is white as well, by the place from its middle
 * along its sides.
 */
Plane square_with(const std::function<bool(double along, double down)>& is_hole) {
  return plane_of(100, 100, [&](int x, int y) {
    const double c = std::cos(0.3), s = std::sin(0.3), along = c * (x - 50) + s * (y - 50),
                 down = c * (y - 50) - s * (x - 50);
    return std::max(std::fabs(along), std::fabs(down)) < 30 && !is_hole(along, down) ? BLACK : WHITE;
  });
}

const Suite suite([] {
  test("tags with a covered corner are found, large ones too, whose outline is bent too much for four lines", [] {
    std::string figures;
    for (const double side_px : {60, 110, 160, 220}) {
      const Count count = look(side_px, 0, ACROSS_CORNER);
      expect(count.drawn > 0 && count.found == count.drawn, text("%g px: ", side_px) + count.words());
      expect(count.max_px < 3, text("%g px: ", side_px) + count.words());
      figures += text("%s%g px: ", figures.empty() ? "" : "; ", side_px) + count.words();
    }
    return figures;
  });

  test("tags of which the black ring is broken are found, where the outline goes on inside", [] {
    std::string figures;
    for (const double side_px : {24, 40, 80, 160}) {
      const Count count = look(side_px, 1, ACROSS_SIDE);
      expect(count.drawn > 0 && count.found >= 0.95 * count.drawn && count.found >= count.reference,
             text("%g px: ", side_px) + count.words());
      expect(count.answers == count.found, text("%g px: %d answers for %d tags", side_px, count.answers, count.found));
      figures += text("%s%g px: ", figures.empty() ? "" : "; ", side_px) + count.words();
    }
    return figures;
  });

  test("of an outline with an inlet the points along its hull are kept, and no others", [] {
    const Outline outline(square_with([](double along, double down) { return std::fabs(along) < 2 && down < 0; }));
    OutermostPoints outermost;
    const std::vector<BorderPoint>& kept = outermost.of(outline.border, outline.points.data(), outline.points.size());
    const size_t hull = std::count_if(outline.points.begin(), outline.points.end(),
                                      [&](BorderPoint each) { return depth_px(outline.points, each) < 0.7; });
    for (const BorderPoint& each : kept)
      expect(depth_px(outline.points, each) < 1, text("(%d, %d) lies within", each.x, each.y));
    expect(kept.size() >= hull && kept.size() < 0.9 * outline.points.size(),
           text("%zu of %zu points kept, %zu lie along the hull", kept.size(), outline.points.size(), hull));
    return text("%zu of %zu", kept.size(), outline.points.size());
  });

  test("an outline without inlets has nothing to leave out, and one that is mostly inlets is no tag's", [] {
    OutermostPoints outermost;
    const Outline plain(square_with([](double, double) { return false; }));
    expect(outermost.of(plain.border, plain.points.data(), plain.points.size()).empty(), "a square was taken apart");
    const Outline comb(
        square_with([](double along, double down) { return static_cast<int>(along + 40) % 10 < 6 && down < 20; }));
    expect(outermost.of(comb.border, comb.points.data(), comb.points.size()).empty(), "a comb was taken for a tag");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
