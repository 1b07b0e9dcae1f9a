#include "outline.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr double DEG = 57.295779513082320877;

/** Corners of a rectangle, clockwise as seen, from that nearest to the top left. */
void set_rect(const cv::RotatedRect& rect, double inset_px, double (&corners)[4][2]) {
  const double angle = rect.angle / DEG, half_width = rect.size.width / 2 + inset_px,
               half_height = rect.size.height / 2 + inset_px;
  const double ux = half_width * std::cos(angle), uy = half_width * std::sin(angle),
               vx = -half_height * std::sin(angle), vy = half_height * std::cos(angle);
  const double across[4] = {-1, 1, 1, -1}, down[4] = {-1, -1, 1, 1};
  int first = 0;
  double around[4][2], least = 0;
  for (int i = 0; i < 4; i++) {
    around[i][0] = rect.center.x + across[i] * ux + down[i] * vx;
    around[i][1] = rect.center.y + across[i] * uy + down[i] * vy;
    const double sum = around[i][0] + around[i][1];
    if (i == 0 || sum < least) first = i, least = sum;
  }
  for (int i = 0; i < 4; i++) std::copy(around[(first + i) % 4], around[(first + i) % 4] + 2, corners[i]);
}

}  // namespace

Sides sides_of(const double (&rect)[4][2]) {
  const double ax = rect[1][0] - rect[0][0], ay = rect[1][1] - rect[0][1], bx = rect[2][0] - rect[1][0],
               by = rect[2][1] - rect[1][1];
  const double a = std::hypot(ax, ay), b = std::hypot(bx, by);
  const bool a_is_width = std::abs(ax) * b >= std::abs(bx) * a;
  // What is upright but for rounding is upright, and not turned by all of the quarter.
  const double angle_deg = std::atan2(ay, ax) * DEG,
               skew_deg = std::min(0.0, angle_deg - 90 * std::ceil(angle_deg / 90 - 1e-6));
  return {a_is_width ? a : b, a_is_width ? b : a, skew_deg};
}

void measure_extent(const Contours& contours, Contour& row) {
  const Contours::Point* points = contours.points.data() + row.first;
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (size_t i = 1; i < row.count; i++) {
    left = std::min<double>(left, points[i].x);
    right = std::max<double>(right, points[i].x);
    top = std::min<double>(top, points[i].y);
    bottom = std::max<double>(bottom, points[i].y);
  }
  row.x_px = left - row.inset_px;
  row.y_px = top - row.inset_px;
  row.width_px = right - left + 2 * row.inset_px;
  row.height_px = bottom - top + 2 * row.inset_px;
  const cv::Mat view(static_cast<int>(row.count), 1, CV_32FC2, const_cast<Contours::Point*>(points));
  set_rect(cv::minAreaRect(view), row.inset_px, row.rect);
}

void measure_polygon(const Contours& contours, Contour& row) {
  const Contours::Point* points = contours.points.data() + row.first;
  double twice = 0, x = 0, y = 0;
  for (size_t i = 0; i < row.count; i++) {
    const Contours::Point a{points[i].x - points[0].x, points[i].y - points[0].y};
    const Contours::Point& next = points[i + 1 < row.count ? i + 1 : 0];
    const Contours::Point b{next.x - points[0].x, next.y - points[0].y};
    const double cross = static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
    twice += cross;
    x += cross * (a.x + b.x);
    y += cross * (a.y + b.y);
  }
  row.area_px = std::abs(twice) / 2;
  row.center[0] = points[0].x + (twice != 0 ? x / (3 * twice) : 0);
  row.center[1] = points[0].y + (twice != 0 ? y / (3 * twice) : 0);
}

bool add_copy(const Contours& from, const Contour& row, Contours& to) {
  if (to.rows.size() >= MAX_CONTOURS || to.points.size() + row.count > MAX_CONTOUR_POINTS) return false;
  Contour& copy = to.rows.emplace_back(row);
  copy.first = to.points.size();
  to.points.insert(to.points.end(), from.points.begin() + row.first, from.points.begin() + row.first + row.count);
  return true;
}

}  // namespace vedette
