#include "draw_tags.h"

#include "pen.h"

namespace vedette {

void draw_tags(GrayImage& image, const Detections& tags, double scale) {
  cv::Mat picture(image.height, image.width, CV_8U, image.data(), image.stride);
  Pen pen(picture, scale);
  std::vector<cv::Point2d> corners;
  for (const Detection& tag : tags) {
    corners.clear();
    for (const auto& corner : tag.corners) corners.emplace_back(corner[0], corner[1]);
    pen.mark(corners, std::to_string(tag.id), cv::Scalar::all(255));
  }
}

}  // namespace vedette
