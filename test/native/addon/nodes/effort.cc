// That no picture makes a step take long: what one of many points costs against another in the same run, in CPU time.
#include <time.h>

#include "drawn.h"

namespace vedette::test {
namespace {

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/** The least of some. */
template <typename Body>
double min_us(int times, Body body) {
  double least = INFINITY;
  for (int i = 0; i < times; i++) {
    const double started = cpu_us();
    body();
    least = std::min(least, cpu_us() - started);
  }
  return least;
}

/** One outline of so many points along a polygon. */
Contours outline_of(int corners, size_t points) {
  const Polygon polygon = regular({2000, 2000}, 1900, corners, 3);
  Contours out;
  for (size_t i = 0; i < points; i++) {
    const double at = static_cast<double>(i) * corners / static_cast<double>(points), part = at - std::floor(at);
    const cv::Point2d &a = polygon[static_cast<size_t>(at) % corners],
                      &b = polygon[(static_cast<size_t>(at) + 1) % corners], place = a + (b - a) * part;
    out.points.push_back({static_cast<float>(place.x), static_cast<float>(place.y)});
  }
  out.rows.push_back({});
  out.rows[0].count = points;
  return out;
}

const Suite suite([] {
  test("a polygon of many corners costs hardly more than one of few", [] {
    const auto cost = [](int corners) {
      const Value outline = outline_of(corners, 60'000);
      OneNode node("polygons",
                   {{"tolerance_share", 0.0002}, {"corners_min", 3.0}, {"corners_max", 100.0}, {"convex_only", false}});
      Frame frame = frame_of(4000, 4000);
      const double us = min_us(3, [&] { node.run({&outline}, frame); });
      expect(
          node.out<Contours>().rows.size() == 1 && node.out<Contours>().points.size() == static_cast<size_t>(corners),
          text("%zu corners", node.out<Contours>().points.size()));
      return us;
    };
    const double few = cost(4), many = cost(64);
    expect(many < 5 * few, text("%.0f us against %.0f", many, few));
    return text("%.1f times", many / few);
  });

  test("outlines of any number of points are drawn in bounded time", [] {
    cv::Mat picture(600, 800, CV_8UC1, cv::Scalar(100));
    const Value image = image_of(picture, ImageFormat::gray, {});
    const auto cost = [&](size_t points) {
      Contours dots = outline_of(12, points);
      for (Contours::Point& point : dots.points) point = {point.x / 7, point.y / 7};
      const Value outline = dots;
      OneNode node("overlay", {{"scale", 1.0}, {"labels", false}});
      return min_us(3, [&] { node.run({&image, nullptr, &outline, nullptr, nullptr, nullptr, nullptr}); });
    };
    const double some = cost(5000), many = cost(100'000);
    expect(many < 3 * some, text("%.0f us against %.0f", many, some));
    return text("%.1f times", many / some);
  });

  test("circles of any number are drawn in bounded time", [] {
    cv::Mat picture(600, 800, CV_8UC1, cv::Scalar(100));
    const Value image = image_of(picture, ImageFormat::gray, {});
    const auto cost = [&](int count) {
      Circles all;
      for (int i = 0; i < count; i++) all.push_back({{20.0 + i % 40 * 19, 20.0 + i / 40 * 22}, 8});
      const Value circles = all;
      OneNode node("overlay", {{"scale", 1.0}, {"labels", false}});
      return min_us(3, [&] { node.run({&image, nullptr, nullptr, nullptr, nullptr, &circles, nullptr}); });
    };
    const double some = cost(100), many = cost(1000);
    expect(many < 4 * some, text("%.0f us against %.0f", many, some));
    return text("%.1f times", many / some);
  });

  test("the first picture that is straightened costs hardly more than the second", [] {
    Scene scene;
    scene.intrinsics = {true, 640, 480, 600, 602, 322.5, 236.25, {-0.1, 0.03, 0.001, -0.0008, -0.01}};
    cv::Mat picture(480, 640, CV_8UC1, cv::Scalar(100));
    const Value image = image_of(picture, ImageFormat::gray, {});
    Frame frame = frame_of(640, 480);
    double first = INFINITY, second = INFINITY;
    for (int i = 0; i < 4; i++) {
      OneNode node("undistort", {}, scene);
      first = std::min(first, min_us(1, [&] { node.run({&image}, frame); }));
      second = std::min(second, min_us(1, [&] { node.run({&image}, frame); }));
    }
    expect(first < 4 * second, text("%.0f us against %.0f", first, second));
    return text("%.1f times", first / second);
  });
});

}  // namespace
}  // namespace vedette::test
