#include "side_by_side.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>

#include "pen.h"

namespace vedette {

namespace {

// Blue, green, red.
const cv::Scalar BOTH(0, 230, 0), THIS_ALONE(0, 140, 255), OTHER_ALONE(255, 0, 255), INK(255, 255, 255),
    PAPER(40, 40, 40);

// Of each half: the text is read, and two fit on a screen.
constexpr int MIN_WIDTH_PX = 640, MAX_WIDTH_PX = 1280, MAX_HEIGHT_PX = 1600;
constexpr int HEAD_PX = 36, GAP_PX = 8;
constexpr double HEAD_FONT = 0.7;

double scale_of(const GrayImage& picture) {
  if (picture.width < MIN_WIDTH_PX)
    return std::min(std::ceil(static_cast<double>(MIN_WIDTH_PX) / picture.width),
                    std::max(1.0, std::floor(static_cast<double>(MAX_HEIGHT_PX) / picture.height)));
  return std::min(
      {1.0, static_cast<double>(MAX_WIDTH_PX) / picture.width, static_cast<double>(MAX_HEIGHT_PX) / picture.height});
}

std::vector<cv::Point2d> corners_of(const Detection& tag, double scale) {
  std::vector<cv::Point2d> out;
  for (const auto& corner : tag.corners) out.emplace_back(scale * corner[0], scale * corner[1]);
  return out;
}

std::string head_of(const char* name, const Answer& answer) {
  char text[80];
  std::snprintf(text, sizeof text, "%s: %zu tags, %.1f ms", name, answer.tags.size(), answer.cpu_us / 1000);
  return text;
}

/** half: has the picture's pixels already. */
void draw(cv::Mat half, double scale, const Answer& answer, const Answer& other) {
  Pen pen(half, 1);
  for (size_t i = 0; i < other.tags.size(); i++)
    if (other.is_alone[i]) pen.outline(corners_of(other.tags[i], scale), OTHER_ALONE);
  for (size_t i = 0; i < answer.tags.size(); i++)
    pen.mark(corners_of(answer.tags[i], scale), std::to_string(answer.tags[i].id),
             answer.is_alone[i] ? THIS_ALONE : BOTH);
}

}  // namespace

cv::Mat side_by_side(const GrayImage& picture, const Answers& answers) {
  const cv::Mat grey(picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.data()),
                     static_cast<size_t>(picture.stride));
  const double scale = scale_of(picture);
  const cv::Size size(std::max(1, static_cast<int>(picture.width * scale)),
                      std::max(1, static_cast<int>(picture.height * scale)));
  cv::Mat half;
  cv::resize(grey, half, size, 0, 0, scale > 1 ? cv::INTER_NEAREST : cv::INTER_AREA);
  cv::cvtColor(half, half, cv::COLOR_GRAY2BGR);
  cv::Mat out(HEAD_PX + size.height, 2 * size.width + GAP_PX, CV_8UC3, PAPER);
  const auto place = [&](int left, const char* name, const Answer& answer, const Answer& other) {
    cv::Mat part = out(cv::Rect({left, HEAD_PX}, size));
    half.copyTo(part);
    draw(part, scale, answer, other);
    cv::putText(out, head_of(name, answer), {left + GAP_PX, HEAD_PX - 12}, cv::FONT_HERSHEY_SIMPLEX, HEAD_FONT, INK, 1,
                cv::LINE_AA);
  };
  place(0, "libapriltag", answers.reference, answers.vedette);
  place(size.width + GAP_PX, "vedette", answers.vedette, answers.reference);
  return out;
}

}  // namespace vedette
