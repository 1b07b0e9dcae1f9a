#include "circle_fit.h"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace vedette {

namespace {

constexpr size_t MAX_SAMPLES = 2000;
constexpr int MIN_SECTORS = 8, MAX_SECTORS = 64;
constexpr int ROUNDS = 12;

/**
 * Of the centres of the outermost pixels of a disk, in insets: the mean over all directions, weighed by how many pixels
 * lie in each.
 */
constexpr double MEAN_INSET = 0.909;

/** Algebraic least squares (Kåsa): x² + y² + ax + by + c = 0 about the points' mean. false where they lie on a line. */
bool fit_circle(const std::vector<cv::Point2d>& points, Circle& out) {
  if (points.size() < 3) return false;
  cv::Point2d mean(0, 0);
  for (const cv::Point2d& point : points) mean += point;
  mean /= static_cast<double>(points.size());
  double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, z = 0;
  for (const cv::Point2d& point : points) {
    const cv::Point2d p = point - mean;
    const double square = p.dot(p);
    xx += p.x * p.x;
    xy += p.x * p.y;
    yy += p.y * p.y;
    xz += p.x * square;
    yz += p.y * square;
    z += square;
  }
  const double determinant = xx * yy - xy * xy;
  if (determinant <= 1e-9 * (xx + yy) * (xx + yy)) return false;
  const cv::Point2d center((xz * yy - yz * xy) / (2 * determinant), (yz * xx - xz * xy) / (2 * determinant));
  out.center[0] = mean.x + center.x;
  out.center[1] = mean.y + center.y;
  out.radius_px = std::sqrt(center.dot(center) + z / static_cast<double>(points.size()));
  return std::isfinite(out.radius_px);
}

double off_circle(const cv::Point2d& point, const Circle& circle) {
  return std::hypot(point.x - circle.center[0], point.y - circle.center[1]) - circle.radius_px;
}

}  // namespace

bool CircleFitter::fit(const Contours& contours, const Contour& row, const Roundness& roundness, Circle& out) {
  sample(contours, row);
  if (!fit_circle(samples_, out)) return false;
  double allowed_px = 0;
  // Each round is stricter than the one before: what does not belong pulls the circle off at first.
  for (int round = 0; round < ROUNDS; round++) {
    allowed_px = std::max(2 * row.inset_px, roundness.tolerance * out.radius_px);
    const double loose_px = std::max(allowed_px, out.radius_px * 0.5 * std::pow(0.6, round));
    near_.clear();
    for (const cv::Point2d& point : samples_)
      if (std::abs(off_circle(point, out)) <= loose_px) near_.push_back(point);
    if (!fit_circle(near_, out)) return false;
  }
  // Each has two pixels at least, or a whole circle would seem to have gaps.
  const double pixels = CV_PI * out.radius_px / std::max(1e-6, 2 * row.inset_px);
  const int sectors = static_cast<int>(std::clamp<double>(pixels, MIN_SECTORS, MAX_SECTORS));
  if (share_of_arc(out, allowed_px, sectors) < roundness.arc_min) return false;
  out.radius_px += MEAN_INSET * row.inset_px;
  return true;
}

/** Along the outline, a pixel apart: straight pieces have points at their ends alone. */
void CircleFitter::sample(const Contours& contours, const Contour& row) {
  const auto at = [&](size_t i) {
    return cv::Point2d(contours.points[row.first + i % row.count].x, contours.points[row.first + i % row.count].y);
  };
  const auto pixels = [](const cv::Point2d& span) { return std::max(std::abs(span.x), std::abs(span.y)); };
  double length = 0;
  for (size_t i = 0; i < row.count; i++) length += pixels(at(i + 1) - at(i));
  const double step = std::max({1e-6, 2 * row.inset_px, length / MAX_SAMPLES});
  samples_.clear();
  double next = 0;  // how far behind the beginning of this piece the next sample lies
  for (size_t i = 0; i < row.count && samples_.size() < 2 * MAX_SAMPLES; i++) {
    const cv::Point2d from = at(i), span = at(i + 1) - from;
    const double steps = pixels(span);
    for (; next < steps - 1e-9 && samples_.size() < 2 * MAX_SAMPLES; next += step)
      samples_.push_back(from + span * (next / steps));
    next = std::max(0.0, next - steps);
  }
}

double CircleFitter::share_of_arc(const Circle& circle, double tolerance_px, int sectors) const {
  std::bitset<MAX_SECTORS> seen;
  for (const cv::Point2d& point : samples_) {
    if (std::abs(off_circle(point, circle)) > tolerance_px) continue;
    const double turn = std::atan2(point.y - circle.center[1], point.x - circle.center[0]) / (2 * CV_PI) + 0.5;
    seen.set(static_cast<int>(turn * sectors) % sectors);
  }
  return static_cast<double>(seen.count()) / sectors;
}

}  // namespace vedette
