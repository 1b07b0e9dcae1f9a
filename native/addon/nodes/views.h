// Images as OpenCV sees them, and back, without copying a pixel.
#pragma once

#include <opencv2/core.hpp>

#include "image.h"

namespace vedette {

/** Only to be read: others read the same pixels. */
inline cv::Mat view_of(const Image& image) {
  return cv::Mat(image.height, image.width, image.format == ImageFormat::colour ? CV_8UC3 : CV_8UC1,
                 const_cast<uint8_t*>(image.pixels), image.stride);
}

/** The pixels stay those of `pixels`, which must live as long as the image is read. */
inline Image image_of(const cv::Mat& pixels, ImageFormat format, const ToSource& to_source) {
  return {pixels.data, pixels.cols, pixels.rows, static_cast<int>(pixels.step), format, to_source};
}

}  // namespace vedette
