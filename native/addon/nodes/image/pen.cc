#include "pen.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr double LINE_PX = 2, RIM_PX = 1.5, TEXT_HEIGHT_PX = 16, CROSS_PX = 8;
constexpr double HERSHEY_HEIGHT_PX = 22;  // of OpenCV's digits at scale 1
// what is lower than so many lines of text would be hidden by its text, which then stands above
constexpr double ROOM_FOR_TEXT = 4;
constexpr int SHIFT = 4;  // OpenCV's fixed-point coordinates: sixteenths of a pixel

int thickness_of(double shown_px, double scale) { return std::max(1, static_cast<int>(std::lround(shown_px * scale))); }

/** What is none has no whole number. */
bool is_place(const cv::Point2d& at) { return std::isfinite(at.x) && std::isfinite(at.y); }

cv::Point fixed_point(const cv::Point2d& at) {
  const auto fixed = [](double continuous) {
    return static_cast<int>(std::lround(std::clamp(continuous - 0.5, -1e5, 1e5) * (1 << SHIFT)));
  };
  return {fixed(at.x), fixed(at.y)};
}

}  // namespace

Pen::Pen(cv::Mat& picture, double scale)
    : picture_(picture),
      scale_(scale),
      font_scale_(scale * TEXT_HEIGHT_PX / HERSHEY_HEIGHT_PX),
      line_px_(thickness_of(LINE_PX, scale)),
      rim_px_(thickness_of(LINE_PX + 2 * RIM_PX, scale)) {}

void Pen::mark(const std::vector<cv::Point2d>& corners, const std::string& text, const cv::Scalar& colour) {
  if (!std::all_of(corners.begin(), corners.end(), is_place)) return;
  const cv::Point origin = text.empty() ? cv::Point() : text_origin(corners, text);
  for (const auto& [ink, thickness] : {std::pair(cv::Scalar::all(0), rim_px_), std::pair(colour, line_px_)}) {
    line(corners, ink, thickness);
    if (!text.empty())
      cv::putText(picture_, text, origin, cv::FONT_HERSHEY_SIMPLEX, font_scale_, ink, thickness, cv::LINE_AA);
  }
}

void Pen::cross(const cv::Point2d& at, const cv::Scalar& colour) {
  if (!is_place(at)) return;
  const double arm = CROSS_PX * scale_;
  for (const auto& [ink, thickness] : {std::pair(cv::Scalar::all(0), rim_px_), std::pair(colour, line_px_)}) {
    cv::line(picture_, fixed_point(at - cv::Point2d(arm, 0)), fixed_point(at + cv::Point2d(arm, 0)), ink, thickness,
             cv::LINE_AA, SHIFT);
    cv::line(picture_, fixed_point(at - cv::Point2d(0, arm)), fixed_point(at + cv::Point2d(0, arm)), ink, thickness,
             cv::LINE_AA, SHIFT);
  }
}

void Pen::line(const std::vector<cv::Point2d>& points, const cv::Scalar& colour, int thickness) {
  for (size_t i = 0; i < points.size(); i++)
    cv::line(picture_, fixed_point(points[i]), fixed_point(points[(i + 1) % points.size()]), colour, thickness,
             cv::LINE_AA, SHIFT);
}

/** Where the text starts: its lower left corner. */
cv::Point Pen::text_origin(const std::vector<cv::Point2d>& corners, const std::string& text) const {
  const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, font_scale_, line_px_, nullptr);
  double top = corners[0].y, bottom = top;
  cv::Point2d sum;
  for (const cv::Point2d& corner : corners) {
    top = std::min(top, corner.y);
    bottom = std::max(bottom, corner.y);
    sum += corner;
  }
  const cv::Point2d middle = sum / static_cast<double>(corners.size());
  const bool has_room = bottom - top > ROOM_FOR_TEXT * size.height;
  const double y = has_room ? middle.y + size.height / 2.0 : top - size.height / 2.0;
  const auto whole = [](double at) { return static_cast<int>(std::clamp(at, -1e5, 1e5)); };
  return {whole(middle.x - size.width / 2.0), whole(std::max<double>(y, size.height))};
}

}  // namespace vedette
