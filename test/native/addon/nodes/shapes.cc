// Outlines as polygons and circles, against the shapes that were drawn.
#include "drawn.h"

namespace vedette::test {
namespace {

Contours polygons(const Contours& contours, double corners_min = 3, double corners_max = 100,
                  bool convex_only = false) {
  OneNode node("polygons", {{"tolerance_share", 0.03},
                            {"corners_min", corners_min},
                            {"corners_max", corners_max},
                            {"convex_only", convex_only}});
  return outlines_through(node, contours);
}

struct Round {
  Circles circles;
  Contours contours;
};

Round circles(const Contours& contours, double arc_min = 0.7) {
  OneNode node("circles",
               {{"radius_min_px", 3.0}, {"radius_max_px", 500.0}, {"tolerance", 0.03}, {"arc_min", arc_min}});
  const Value value = contours;
  node.run({&value});
  return {node.out<Circles>(), node.out<Contours>(1)};
}

/** The largest distance of a corner from the one that was drawn. */
double off_corners(const Contours& found, const Polygon& truth) {
  double worst = 0;
  const Contour& row = found.rows.at(0);
  expect(row.count == truth.size(), text("%zu corners", row.count));
  for (const cv::Point2d& corner : truth) {
    double nearest = 1e9;
    for (size_t i = 0; i < row.count; i++)
      nearest = std::min(
          nearest, std::hypot(found.points[row.first + i].x - corner.x, found.points[row.first + i].y - corner.y));
    worst = std::max(worst, nearest);
  }
  return worst;
}

const Suite suite([] {
  test("corners of polygons are exact to fractions of a pixel", [] {
    double worst = 0, worst_area = 0;
    for (double turned = 2; turned < 90; turned += 11.3) {
      const Polygon square = rectangle({300.3, 220.6}, 150, 110, turned),
                    hexagon = regular({300.3, 220.6}, 120, 6, turned),
                    triangle = regular({310.1, 240.7}, 140, 3, turned);
      for (const Polygon& shape : {square, hexagon, triangle})
        worst = std::max(worst, off_corners(polygons(contours_of({shape})), shape));
      worst_area = std::max(worst_area, std::abs(polygons(contours_of({square})).rows.at(0).area_px / (150 * 110) - 1));
    }
    expect(worst < 0.5 && worst_area < 0.005, text("%.2f px, area %.4f", worst, worst_area));
    return text("%.2f px and %.2f %% of the area off at worst", worst, 100 * worst_area);
  });

  test("corners begin at the top left and go round clockwise, and a polygon of a polygon is the same", [] {
    const Contours once = polygons(contours_of({rectangle({300, 200}, 100, 60, 5)})), twice = polygons(once);
    const Contours::Point* points = once.points.data();
    expect(points[0].x < points[1].x && points[1].y < points[2].y && points[2].x > points[3].x &&
               points[3].y > points[0].y,
           "another order");
    for (size_t i = 0; i < 4; i++)
      expect(std::hypot(points[i].x - twice.points[i].x, points[i].y - twice.points[i].y) < 1e-3, "another place");
    return "";
  });

  test("polygons are chosen by how many corners they have, and whether one points inwards", [] {
    const Polygon arrow{{400, 100}, {500, 300}, {400, 240}, {300, 300}};
    const Contours all =
        contours_of({regular({100, 100}, 60, 3, 10), rectangle({100, 300}, 100, 80, 20), arrow, disk({560, 400}, 60)});
    expect(polygons(all, 3, 3).rows.size() == 1 && polygons(all, 4, 4).rows.size() == 2 &&
               polygons(all, 4, 4, true).rows.size() == 1,
           "others were chosen");
    expect(polygons(all, 6, 100).rows.size() == 1, "the disk");
    return "";
  });

  test("disks are circles to a tenth of a pixel", [] {
    double worst_center = 0, worst_radius = 0;
    for (double radius = 5.3; radius < 150; radius *= 1.6) {
      const Circles found = circles(contours_of({disk({300.35, 220.7}, radius)})).circles;
      expect(found.size() == 1, text("%zu circles of radius %.1f", found.size(), radius));
      worst_center = std::max(worst_center, std::hypot(found[0].center[0] - 300.35, found[0].center[1] - 220.7));
      worst_radius = std::max(worst_radius, std::abs(found[0].radius_px - radius));
    }
    expect(worst_center < 0.1 && worst_radius < 0.2,
           text("centre %.3f px, radius %.3f px", worst_center, worst_radius));
    return text("centre %.3f px, radius %.3f px off at worst", worst_center, worst_radius);
  });

  test("a disk is a circle where a part of it is hidden, or lies outside the picture", [] {
    cv::Mat mask = cv::Mat::zeros(480, 640, CV_8UC1);
    draw(mask, disk({200, 200}, 80));
    draw(mask, disk({640, 300}, 60));
    mask(cv::Rect(100, 230, 90, 100)) = 0;
    const Circles found = circles(contours_of(mask), 0.45).circles;
    expect(found.size() == 2, text("%zu circles", found.size()));
    const double off = std::hypot(found[0].center[0] - 200, found[0].center[1] - 200);
    expect(off < 0.5 && std::abs(found[0].radius_px - 80) < 0.5,
           text("%.2f px off, radius %.2f px", off, found[0].radius_px));
    expect(std::hypot(found[1].center[0] - 640, found[1].center[1] - 300) < 1.5,
           text("the other at (%.1f, %.1f)", found[1].center[0], found[1].center[1]));
    return text("centre %.2f px off", off);
  });

  test("what is not round is no circle, and the outlines of those that are come beside them", [] {
    const Contours all = contours_of({rectangle({100, 100}, 100, 100, 12), rectangle({100, 300}, 120, 60),
                                      regular({300, 100}, 60, 6, 4), disk({300, 300}, 50), regular({500, 200}, 80, 3)});
    const Round found = circles(all);
    expect(found.circles.size() == 1 && found.contours.rows.size() == 1, text("%zu circles", found.circles.size()));
    expect(std::abs(found.contours.rows[0].center[0] - 300) < 0.1 &&
               std::abs(found.contours.rows[0].center[1] - 300) < 0.1,
           "another one");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
