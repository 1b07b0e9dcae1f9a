#include "draw_tags.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr double LINE_PX = 2.5, TEXT_HEIGHT_PX = 18;
constexpr int SHIFT = 4;  // OpenCV's fixed-point coordinates: sixteenths of a pixel

cv::Point fixed_point(const double (&at)[2]) {
  const auto fixed = [](double continuous) { return static_cast<int>(std::lround(std::clamp(continuous - 0.5, -1e5, 1e5) * (1 << SHIFT))); };
  return {fixed(at[0]), fixed(at[1])};
}

void draw_outline(cv::Mat& picture, const Detection& tag, int grey, int thickness) {
  for (int i = 0; i < 4; i++)
    cv::line(picture, fixed_point(tag.corners[i]), fixed_point(tag.corners[(i + 1) % 4]), grey, thickness, cv::LINE_AA, SHIFT);
}

void draw_id(cv::Mat& picture, const Detection& tag, int grey, double scale, int thickness) {
  const std::string text = std::to_string(tag.id);
  const double font_scale = scale * TEXT_HEIGHT_PX / 22;  // Hershey's capitals are 22 pixels high at scale 1
  const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, font_scale, thickness, nullptr);
  const cv::Point origin(static_cast<int>(tag.center[0] - size.width / 2.0), static_cast<int>(tag.center[1] + size.height / 2.0));
  cv::putText(picture, text, origin, cv::FONT_HERSHEY_SIMPLEX, font_scale, grey, thickness, cv::LINE_AA);
}

}  // namespace

void draw_tags(GrayImage& image, const Detections& tags, double scale) {
  cv::Mat picture(image.height, image.width, CV_8U, image.pixels.data(), image.stride);
  const int line = std::max(1, static_cast<int>(std::lround(LINE_PX * scale)));
  for (const Detection& tag : tags) {
    // White on a black rim is seen on any background.
    draw_outline(picture, tag, 0, 2 * line + 1);
    draw_outline(picture, tag, 255, line);
    draw_id(picture, tag, 0, scale, 3 * line);
    draw_id(picture, tag, 255, scale, line);
  }
}

}  // namespace vedette
