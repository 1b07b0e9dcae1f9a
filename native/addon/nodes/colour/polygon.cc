#include "polygon.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

/** Of an edge, at each end: corners are rounded, by optics and by the encoding. */
constexpr double LEFT_OUT_SHARE = 0.15;

/**
 * The first corners may be as far off as the tolerance; where edges that were fitted between them meet, the outline is
 * divided again.
 */
constexpr int ROUNDS = 3;

/** Of the angle between two edges, a degree: below it they are one. */
constexpr double MIN_SINE = 0.02;

cv::Point2d point_of(const Contours::Point& point) { return {point.x, point.y}; }

double cross(const cv::Point2d& a, const cv::Point2d& b) { return a.x * b.y - a.y * b.x; }

double signed_area(const std::vector<cv::Point2d>& corners) {
  double twice = 0;
  for (size_t i = 0; i < corners.size(); i++) twice += cross(corners[i], corners[(i + 1) % corners.size()]);
  return twice / 2;
}

/** Sums of a line fit, about the first point, so that no digits are lost. */
struct Sums {
  double weight = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;

  /** A straight piece, weighed by the pixels that it passes. */
  void add(const cv::Point2d& a, const cv::Point2d& b) {
    const cv::Point2d middle = (a + b) / 2, span = b - a;
    const double w = std::max(std::abs(span.x), std::abs(span.y));
    weight += w;
    x += w * middle.x;
    y += w * middle.y;
    xx += w * (middle.x * middle.x + span.x * span.x / 12);
    xy += w * (middle.x * middle.y + span.x * span.y / 12);
    yy += w * (middle.y * middle.y + span.y * span.y / 12);
  }
};

}  // namespace

const std::vector<cv::Point2d>& PolygonFitter::fit(const Contours& contours, const Contour& row, double tolerance_share,
                                                   size_t least, size_t most) {
  corners_.clear();
  if (row.count < 3) return corners_;
  const cv::Mat view(static_cast<int>(row.count), 1, CV_32FC2,
                     const_cast<Contours::Point*>(contours.points.data() + row.first));
  const double tolerance_px = tolerance_share * cv::arcLength(view, true);
  cv::approxPolyDP(view, approximated_, tolerance_px, true);
  if (approximated_.size() < std::max<size_t>(3, least) || approximated_.size() > most ||
      !find_corners(contours, row, tolerance_px))
    return corners_;

  if (signed_area(corners_) < 0) std::reverse(corners_.begin(), corners_.end());
  const auto first = std::min_element(corners_.begin(), corners_.end(),
                                      [](const cv::Point2d& a, const cv::Point2d& b) { return a.x + a.y < b.x + b.y; });
  std::rotate(corners_.begin(), first, corners_.end());
  return corners_;
}

bool PolygonFitter::find_corners(const Contours& contours, const Contour& row, double tolerance_px) {
  const Contours::Point* outline = contours.points.data() + row.first;
  for (const cv::Point2f& corner : approximated_) corners_.emplace_back(corner.x, corner.y);
  const double area = signed_area(corners_);
  if (area == 0) return corners_.clear(), false;

  const size_t count = corners_.size();
  at_.clear();
  for (int round = 0; round < ROUNDS; round++) {
    split(outline, row.count);
    edges_.clear();
    for (size_t i = 0; i < count; i++)
      edges_.push_back(edge_from(i, outline, row.count, area > 0 ? row.inset_px : -row.inset_px));
    for (size_t i = 0; i < count; i++) {
      const Line &before = edges_[(i + count - 1) % count], &after = edges_[i];
      const double sine = cross(before.along, after.along);
      if (std::abs(sine) < MIN_SINE) continue;
      const cv::Point2d meeting = before.point + before.along * (cross(after.point - before.point, after.along) / sine);
      // Where two edges are almost one line they meet anywhere.
      if (cv::norm(meeting - corners_[i]) <= 2 * tolerance_px + 4 * row.inset_px) corners_[i] = meeting;
    }
  }
  return true;
}

/**
 * Where the outline goes round each corner: at its point that is nearest, of those between the corners beside it. The
 * first time corners are points of the outline, in its order. However many there are, each point is looked at a few
 * times.
 */
void PolygonFitter::split(const Contours::Point* outline, size_t count) {
  const size_t corners = corners_.size();
  if (at_.empty()) {
    for (size_t i = 0; i < corners; i++)
      at_.push_back(nearest(outline, count, corners_[i], i == 0 ? 0 : at_[i - 1] + 1, i == 0 ? count : count - 1));
    return;
  }
  before_ = at_;
  for (size_t i = 0; i < corners; i++) {
    const size_t from = before_[(i + corners - 1) % corners], to = before_[(i + 1) % corners];
    at_[i] = nearest(outline, count, corners_[i], from, (to + count - from) % count + 1);
  }
}

/** Of so many points from that one on, around the outline. One that is met exactly is it. */
size_t PolygonFitter::nearest(const Contours::Point* outline, size_t count, const cv::Point2d& corner, size_t from,
                              size_t steps) {
  size_t best = from % count;
  double least = INFINITY;
  for (size_t i = 0; i < steps && least > 0; i++) {
    const size_t at = (from + i) % count;
    const double x = outline[at].x - corner.x, y = outline[at].y - corner.y, squared = x * x + y * y;
    if (squared < least) least = squared, best = at;
  }
  return best;
}

/** outwards: the inset, to the left of the way along the outline when it is positive. */
PolygonFitter::Line PolygonFitter::edge_from(size_t corner, const Contours::Point* outline, size_t count,
                                             double outwards_px) const {
  const size_t next = (corner + 1) % at_.size(), begin = at_[corner], steps = (at_[next] + count - begin) % count;
  const cv::Point2d origin = point_of(outline[begin]), chord = point_of(outline[at_[next]]) - origin;
  double length = 0;
  for (size_t i = 0; i < steps; i++)
    length += cv::norm(point_of(outline[(begin + i + 1) % count]) - point_of(outline[(begin + i) % count]));
  const double from = LEFT_OUT_SHARE * length, to = length - from;

  Sums sums;
  double walked = 0;
  for (size_t i = 0; i < steps; i++) {
    const cv::Point2d a = point_of(outline[(begin + i) % count]) - origin,
                      b = point_of(outline[(begin + i + 1) % count]) - origin;
    const double step = cv::norm(b - a), enter = std::max(0.0, from - walked), leave = std::min(step, to - walked);
    if (step > 0 && enter < leave) sums.add(a + (b - a) * (enter / step), a + (b - a) * (leave / step));
    walked += step;
  }
  Line line{origin + chord / 2, chord / std::max(1e-9, cv::norm(chord))};
  if (sums.weight > 0) {
    const double x = sums.x / sums.weight, y = sums.y / sums.weight;
    const double xx = sums.xx / sums.weight - x * x, xy = sums.xy / sums.weight - x * y,
                 yy = sums.yy / sums.weight - y * y;
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    cv::Point2d along(std::cos(angle), std::sin(angle));
    if (along.dot(chord) < 0) along = -along;
    line = {origin + cv::Point2d(x, y), along};
  }
  // With y downwards the right of the way round clockwise is inside. Of the steps of an edge the nearest and the
  // farthest lie a pixel apart along an axis.
  line.point += cv::Point2d(line.along.y, -line.along.x) *
                (outwards_px * std::max(std::abs(line.along.x), std::abs(line.along.y)));
  return line;
}

}  // namespace vedette
