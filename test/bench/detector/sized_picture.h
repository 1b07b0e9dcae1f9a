// Pictures from files, for the programs that measure detectors.
#pragma once

#include <fstream>
#include <iterator>
#include <opencv2/imgproc.hpp>

#include "grey_view.h"
#include "picture.h"

namespace vedette {

/** Made width x height pixels large; 0: it stays as it is. Throws Fault as PictureDecoder does. */
inline GrayImage read_picture(const char* path, int width, int height) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  GrayImage picture;
  PictureDecoder().decode_gray(bytes.data(), bytes.size(), picture);
  if (width == 0) return picture;
  GrayImage out;
  out.resize(width, height);
  const cv::Mat from(picture.height, picture.width, CV_8UC1, picture.data(), static_cast<size_t>(picture.stride));
  cv::Mat to(height, width, CV_8UC1, out.data(), static_cast<size_t>(out.stride));
  cv::resize(from, to, to.size(), 0, 0, picture.width > width ? cv::INTER_AREA : cv::INTER_LINEAR);
  return out;
}

/** Of each file, in their order. Ends the program with a word on stderr where one cannot be read. */
inline std::vector<GrayImage> read_pictures(const char* program, int count, char** paths, int width, int height) {
  std::vector<GrayImage> out;
  try {
    for (int i = 0; i < count; i++) out.push_back(read_picture(paths[i], width, height));
  } catch (const Fault& fault) {
    std::fprintf(stderr, "%s: %s: %s\n", program, paths[out.size()], fault.detail.c_str());
    std::exit(1);
  }
  return out;
}

inline GreyView view_of(const GrayImage& picture) {
  return {picture.data(), picture.width, picture.height, picture.stride};
}

}  // namespace vedette
