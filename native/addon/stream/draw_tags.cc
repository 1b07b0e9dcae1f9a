#include "draw_tags.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr double LINE_PX = 2, RIM_PX = 1.5, TEXT_HEIGHT_PX = 16;
constexpr double HERSHEY_HEIGHT_PX = 22;  // of OpenCV's digits at scale 1
constexpr double ROOM_FOR_TEXT = 4;       // a tag lower than so many lines of text would be hidden by its id, which then stands above
constexpr int SHIFT = 4;  // OpenCV's fixed-point coordinates: sixteenths of a pixel

cv::Point fixed_point(const double (&at)[2]) {
  const auto fixed = [](double continuous) { return static_cast<int>(std::lround(std::clamp(continuous - 0.5, -1e5, 1e5) * (1 << SHIFT))); };
  return {fixed(at[0]), fixed(at[1])};
}

void draw_outline(cv::Mat& picture, const Detection& tag, int grey, int thickness) {
  for (int i = 0; i < 4; i++)
    cv::line(picture, fixed_point(tag.corners[i]), fixed_point(tag.corners[(i + 1) % 4]), grey, thickness, cv::LINE_AA, SHIFT);
}

/** Where the text starts: its lower left corner. */
cv::Point text_origin(const Detection& tag, const cv::Size& text) {
  double top = tag.corners[0][1], bottom = top;
  for (const auto& corner : tag.corners) {
    top = std::min(top, corner[1]);
    bottom = std::max(bottom, corner[1]);
  }
  const bool has_room = bottom - top > ROOM_FOR_TEXT * text.height;
  const double y = has_room ? tag.center[1] + text.height / 2.0 : top - text.height / 2.0;
  return {static_cast<int>(tag.center[0] - text.width / 2.0), static_cast<int>(std::max<double>(y, text.height))};
}

}  // namespace

void draw_tags(GrayImage& image, const Detections& tags, double scale) {
  cv::Mat picture(image.height, image.width, CV_8U, image.data(), image.stride);
  const auto pixels = [scale](double shown) { return std::max(1, static_cast<int>(std::lround(shown * scale))); };
  const int line = pixels(LINE_PX), rim = pixels(LINE_PX + 2 * RIM_PX);
  const double font_scale = scale * TEXT_HEIGHT_PX / HERSHEY_HEIGHT_PX;
  for (const Detection& tag : tags) {
    const std::string text = std::to_string(tag.id);
    const cv::Point origin = text_origin(tag, cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, font_scale, line, nullptr));
    // White with a black rim is seen on any background.
    for (const auto& [grey, thickness] : {std::pair(0, rim), std::pair(255, line)}) {
      draw_outline(picture, tag, grey, thickness);
      cv::putText(picture, text, origin, cv::FONT_HERSHEY_SIMPLEX, font_scale, grey, thickness, cv::LINE_AA);
    }
  }
}

}  // namespace vedette
