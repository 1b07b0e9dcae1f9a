// From masks to outlines: what they measure, which are kept, in which order, and which belong together.
#include "drawn.h"
#include "outline.h"

namespace vedette::test {
namespace {

Contours filtered(const Contours& contours, const Settings& changes) {
  OneNode node("contour-filter", filter_settings(changes));
  return outlines_through(node, contours);
}

Contours sorted(const Contours& contours, const std::string& by, double limit = 1000) {
  OneNode node("sort", {{"by", by}, {"limit", limit}});
  return outlines_through(node, contours);
}

Contours grouped(const Contours& contours, const std::string& count, const std::string& intersection,
                 double gap_max = 3) {
  OneNode node("contour-group", {{"count", count}, {"intersection", intersection}, {"gap_max", gap_max}});
  return outlines_through(node, contours);
}

/** Its area and its box. */
std::string told(const Contour& row) {
  return text("%g square pixels, %gx%g at (%g, %g)", row.area_px, row.width_px, row.height_px, row.x_px, row.y_px);
}

bool has_box(const Contour& row, double x, double y, double width, double height) {
  return row.x_px == x && row.y_px == y && row.width_px == width && row.height_px == height;
}

/** The whole x coordinates of their centres, in their order. */
std::string places(const Contours& contours) {
  std::string out;
  for (const Contour& row : contours.rows) out += text("%.0f ", row.center[0]);
  return out;
}

void expect_places(const Contours& contours, const std::string& wanted) {
  expect(places(contours) == wanted, "they are at " + places(contours));
}

double off(const double (&at)[2], cv::Point2d truth) { return std::hypot(at[0] - truth.x, at[1] - truth.y); }

const Suite suite([] {
  test("an upright rectangle is measured to the pixel, whatever is missing within", [] {
    cv::Mat mask = cv::Mat::zeros(480, 640, CV_8UC1);
    draw(mask, rectangle({150, 220}, 100, 60));
    draw(mask, rectangle({400, 100}, 3, 3));
    mask(cv::Rect(120, 210, 20, 20)) = 0;
    const Contours found = contours_of(mask);
    expect(found.rows.size() == 2, text("%zu outlines", found.rows.size()));
    const Contour& row = found.rows[0];
    expect(row.area_px == 6000 && has_box(row, 100, 190, 100, 60), told(row));
    expect(off(row.center, {150, 220}) < 1e-9, "the centre is elsewhere");
    const cv::Point2d corners[] = {{100, 190}, {200, 190}, {200, 250}, {100, 250}};
    for (int i = 0; i < 4; i++)
      expect(off(row.rect[i], corners[i]) < 1e-3, text("corner %d is at (%g, %g)", i, row.rect[i][0], row.rect[i][1]));
    expect(found.rows[1].area_px == 9, "the small one");
    return "";
  });

  test("what lies at the horizon of a straightened picture, or beyond, is no outline", [] {
    cv::Mat mask = cv::Mat::zeros(480, 640, CV_8UC1);
    for (const double y : {80.0, 200.0, 350.0}) draw(mask, rectangle({300, y}, 60, 40));
    ToSource shown;
    shown.matrix = {1, 0, 0, 0, 1, 0, 0, -1.0 / 200, 1};
    const Contours found = contours_of(mask, 0, shown);
    expect(found.rows.size() == 1 && found.points.size() == found.rows[0].count,
           text("%zu outlines of %zu points", found.rows.size(), found.points.size()));
    expect(found.rows[0].y_px > 60 && found.rows[0].y_px < 200, told(found.rows[0]));
    return told(found.rows[0]);
  });

  test("shapes that lie aslant are measured within one percent, and half a pixel", [] {
    double worst_area = 0, worst_center = 0, worst_corner = 0, worst_skew = 0;
    for (double turned = -40; turned <= 40; turned += 7.3) {
      const Polygon shape = rectangle({300.3, 240.8}, 160, 70, turned);
      const Contour row = contours_of({shape}).rows.at(0);
      worst_area = std::max(worst_area, std::abs(row.area_px / (160 * 70) - 1));
      worst_center = std::max(worst_center, off(row.center, {300.3, 240.8}));
      for (int i = 0; i < 4; i++) {
        double nearest = 1e9;
        for (const cv::Point2d& corner : shape) nearest = std::min(nearest, off(row.rect[i], corner));
        worst_corner = std::max(worst_corner, nearest);
      }
      const Sides sides = sides_of(row.rect);
      expect(std::abs(sides.width - 160) < 1.5 && std::abs(sides.height - 70) < 1.5,
             text("%g by %g", sides.width, sides.height));
      worst_skew = std::max(worst_skew, std::abs(sides.skew_deg - (turned > 0 ? turned - 90 : turned)));
    }
    for (const double radius : {8.3, 20.7, 90.2}) {
      const Contour row = contours_of({disk({320.4, 200.9}, radius)}).rows.at(0);
      worst_area = std::max(worst_area, std::abs(row.area_px / (CV_PI * radius * radius) - 1));
      worst_center = std::max(worst_center, off(row.center, {320.4, 200.9}));
    }
    const std::string misses = text("area %.2f %%, centre %.3f px, corners %.2f px, skew %.2f degrees off at worst",
                                    100 * worst_area, worst_center, worst_corner, worst_skew);
    expect(worst_area < 0.01 && worst_center < 0.1 && worst_corner < 1 && worst_skew < 0.7, misses);
    return misses;
  });

  test("a triangle's centre is that of its area", [] {
    const Polygon shape{{100.2, 100.4}, {300.7, 130.1}, {120.3, 260.5}};
    const Contour row = contours_of({shape}).rows.at(0);
    const cv::Point2d truth = (shape[0] + shape[1] + shape[2]) / 3;
    expect(off(row.center, truth) < 0.15, text("%.3f px off", off(row.center, truth)));
    return text("%.3f px off", off(row.center, truth));
  });

  test("outlines are in pixels of the source, whatever was cropped, scaled and turned before", [] {
    cv::Mat mask = cv::Mat::zeros(100, 200, CV_8UC1);
    draw(mask, rectangle({60, 40}, 40, 20));
    const ToSource half = ToSource{}.scaled(2, 2, 100, 50), turned = ToSource{}.after({0, -1, 100, 1, 0, 0, 0, 0, 1});
    const Contour row = contours_of(mask, 0, half).rows.at(0), other = contours_of(mask, 0, turned).rows.at(0);
    expect(row.area_px == 3200 && has_box(row, 180, 110, 80, 40) && off(row.center, {220, 130}) < 1e-9, told(row));
    expect(other.area_px == 800 && has_box(other, 50, 40, 20, 40) && off(other.center, {60, 60}) < 1e-9,
           "turned: " + told(other));
    return "";
  });

  test("pixels and lines have outlines too, small ones are left out if asked for, and of nothing there is none", [] {
    cv::Mat mask = cv::Mat::zeros(40, 40, CV_8UC1);
    expect(contours_of(mask).rows.empty(), "of nothing");
    mask.at<uint8_t>(3, 4) = 255;
    mask.row(20).colRange(5, 15) = 255;
    const Contours found = contours_of(mask);
    expect(found.rows.size() == 2 && found.rows[0].area_px == 10 && found.rows[1].area_px == 1,
           "a line of ten and a pixel");
    expect(found.rows[0].width_px == 10 && found.rows[0].height_px == 1 && off(found.rows[0].center, {10, 20.5}) < 1e-9,
           "the line is elsewhere");
    expect(off(found.rows[1].center, {4.5, 3.5}) < 1e-9, "the pixel is elsewhere");
    expect(contours_of(mask, 5.0).rows.size() == 1, "the pixel is not left out");
    mask = 255;
    expect(contours_of(mask).rows.at(0).area_px == 1600, "all of it");
    expect(contours_of(cv::Mat(0, 0, CV_8UC1)).rows.empty(), "of an empty picture");
    return "";
  });

  test("a picture of noise gives a thousand outlines at most, the largest first, and the same ones again", [] {
    cv::Mat noise(480, 640, CV_8UC1);
    cv::RNG random(3);
    random.fill(noise, cv::RNG::UNIFORM, 0, 256);
    const cv::Mat mask = noise > 200;
    const Contours found = contours_of(mask), again = contours_of(mask);
    expect(found.rows.size() == MAX_CONTOURS && found.points.size() <= MAX_CONTOUR_POINTS,
           text("%zu outlines", found.rows.size()));
    for (size_t i = 1; i < found.rows.size(); i++)
      expect(found.rows[i - 1].area_px >= found.rows[i].area_px, "a larger one behind a smaller one");
    for (size_t i = 0; i < found.rows.size(); i++)
      expect(off(found.rows[i].center, {again.rows[i].center[0], again.rows[i].center[1]}) == 0, "another order");
    return "";
  });

  test("only what is like what is searched for is kept", [] {
    // A large square, a wide bar, a tall bar, a disk, and a speck.
    const Contours all =
        contours_of({rectangle({100, 100}, 120, 120), rectangle({300, 100}, 160, 40), rectangle({450, 100}, 40, 160),
                     disk({550, 300}, 40), rectangle({50, 400}, 4, 4)});
    expect_places(filtered(all, {}), "100 300 450 550 50 ");
    expect_places(filtered(all, {{"area_share_min", 6000 / 307200.0}}), "100 300 450 ");
    expect_places(filtered(all, {{"area_share_max", 6000 / 307200.0}}), "550 50 ");
    expect_places(filtered(all, {{"ratio_min", 2.0}}), "300 ");
    expect_places(filtered(all, {{"ratio_max", 0.5}}), "450 ");
    expect_places(filtered(all, {{"fullness_max", 0.85}}), "550 ");
    expect_places(filtered(all, {{"fullness_min", 0.85}}), "100 300 450 50 ");
    expect_places(filtered(all, {{"speckle_share", 0.1}}), "100 300 450 550 ");
    expect_places(filtered(all, {{"x_min_px", 200.0}, {"y_max_px", 200.0}}), "300 450 ");
    return "";
  });

  test("outlines come in the order that is asked for, and those that are alike as they came", [] {
    const Contours all = contours_of({rectangle({100, 300}, 40, 40), rectangle({330, 250}, 20, 20),
                                      rectangle({500, 100}, 60, 60), rectangle({600, 400}, 20, 20)});
    expect_places(sorted(all, "largest"), places(all));
    expect_places(sorted(all, "leftmost"), "100 330 500 600 ");
    expect_places(sorted(all, "rightmost", 2), "600 500 ");
    expect_places(sorted(all, "topmost"), "500 330 100 600 ");
    expect_places(sorted(all, "bottommost", 1), "600 ");
    expect_places(sorted(all, "centremost", 1), "330 ");
    expect(sorted(all, "smallest").rows[0].area_px == 400 &&
               places(sorted(all, "smallest", 2)) == places(sorted(all, "largest")).substr(8),
           "alike ones changed places");
    const Contours last = sorted(all, "rightmost", 1);
    expect(last.points.size() == last.rows[0].count && last.points[0].x > 580, "the points are not its own");
    return "";
  });

  test("two strips whose lines meet above them are one target", [] {
    // Two pairs that lean together, as tapes do; beside them one that leans away.
    std::vector<Polygon> strips;
    for (int i = 0; i < 5; i++)
      strips.push_back(rectangle({i < 2 ? 100.0 + 80 * i : 240.0 + 80 * i, 200}, 20, 80, i % 2 == 0 ? 14 : -14));
    const Contours all = contours_of(strips);
    const Contours up = grouped(all, "dual", "up");
    expect(up.rows.size() == 2, text("%zu groups", up.rows.size()));
    const Contours in_order = sorted(up, "leftmost");
    expect(off(in_order.rows[0].center, {140, 200}) < 0.7 && off(in_order.rows[1].center, {440, 200}) < 0.7,
           places(in_order));
    expect(std::abs(up.rows[0].area_px / 3200 - 1) < 0.01 && up.rows[0].width_px > 100 && up.rows[0].width_px < 140,
           text("%g square pixels", up.rows[0].area_px));
    expect_places(sorted(grouped(all, "dual", "down"), "leftmost"), "290 520 ");
    expect(grouped(all, "dual", "left").rows.empty() && grouped(all, "dual", "up", 0.1).rows.empty(),
           "what is too far away, or meets elsewhere");
    expect(grouped(all, "single", "up").rows.size() == 5, "single ones");
    return "";
  });

  test("a row of strips is one target, and what is alone is none", [] {
    std::vector<Polygon> shapes{rectangle({50, 50}, 20, 20)};
    for (int i = 0; i < 5; i++) shapes.push_back(rectangle({300 + 50.0 * i, 300 + 8.0 * i}, 30, 12, 9));
    const Contours row = grouped(contours_of(shapes), "two_or_more", "any", 2);
    expect(row.rows.size() == 1 && off(row.rows[0].center, {400, 316}) < 1, places(row));
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
