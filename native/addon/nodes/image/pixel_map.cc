#include "pixel_map.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace vedette {

namespace {

constexpr int STEPS = cv::INTER_TAB_SIZE;  // into which OpenCV divides a pixel
constexpr double FAR = 30'000;             // outside of every picture, and a short integer all the same

}  // namespace

void PixelMap::resize(int width, int height) {
  whole_.create(height, width, CV_16SC2);
  fraction_.create(height, width, CV_16UC1);
}

void PixelMap::set(int column, int row, bool is_anywhere, double x, double y) {
  const bool is_near = is_anywhere && std::fabs(x) < FAR && std::fabs(y) < FAR;  // false for NaN
  const auto steps = [is_near](double continuous) {
    return static_cast<int>(std::floor((is_near ? continuous - 0.5 : -FAR) * STEPS + 0.5));
  };
  const int along_x = steps(x), along_y = steps(y);
  whole_.at<cv::Vec2s>(row, column) = {static_cast<short>(along_x >> cv::INTER_BITS),
                                       static_cast<short>(along_y >> cv::INTER_BITS)};
  fraction_.at<uint16_t>(row, column) =
      static_cast<uint16_t>((along_y & (STEPS - 1)) * STEPS + (along_x & (STEPS - 1)));
}

void PixelMap::apply(const cv::Mat& from, ImageFormat format, cv::Mat& to) const {
  cv::remap(from, to, whole_, fraction_, cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar::all(0));
  // Not INTER_NEAREST: with places in whole numbers OpenCV 4.6 takes the pixel beside the nearest.
  if (format == ImageFormat::mask) cv::threshold(to, to, 127, 255, cv::THRESH_BINARY);
}

}  // namespace vedette
