// Masks of shapes whose truth is known: a pixel is set when its centre lies in the shape.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <opencv2/core.hpp>
#include <vector>

#include "one_node.h"
#include "views.h"

namespace vedette::test {

using Polygon = std::vector<cv::Point2d>;

/** Sets what lies in a polygon of continuous pixel coordinates, by the even-odd rule. */
inline void draw(cv::Mat& mask, const Polygon& polygon) {
  for (int y = 0; y < mask.rows; y++) {
    std::vector<double> crossings;
    for (size_t i = 0; i < polygon.size(); i++) {
      const cv::Point2d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      if ((a.y <= y + 0.5) != (b.y <= y + 0.5)) crossings.push_back(a.x + (y + 0.5 - a.y) / (b.y - a.y) * (b.x - a.x));
    }
    std::sort(crossings.begin(), crossings.end());
    for (size_t i = 0; i + 1 < crossings.size(); i += 2)
      for (int x = std::max(0, static_cast<int>(std::ceil(crossings[i] - 0.5)));
           x < mask.cols && x + 0.5 < crossings[i + 1]; x++)
        mask.at<uint8_t>(y, x) = 255;
  }
}

/** Corners on a circle; the first of them at that angle, degrees clockwise from the right. */
inline Polygon regular(cv::Point2d center, double radius_px, int corners, double first_deg = 0) {
  Polygon out;
  for (int i = 0; i < corners; i++) {
    const double angle = first_deg * CV_PI / 180 + 2 * CV_PI * i / corners;
    out.emplace_back(center.x + radius_px * std::cos(angle), center.y + radius_px * std::sin(angle));
  }
  return out;
}

inline Polygon disk(cv::Point2d center, double radius_px) { return regular(center, radius_px, 720); }

/** A rectangle about its centre, turned clockwise. */
inline Polygon rectangle(cv::Point2d center, double width, double height, double turned_deg = 0) {
  const double c = std::cos(turned_deg * CV_PI / 180), s = std::sin(turned_deg * CV_PI / 180);
  Polygon out;
  for (const auto& [x, y] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
    out.emplace_back(center.x + c * x * width - s * y * height, center.y + s * x * width + c * y * height);
  return out;
}

/** The outlines in a mask. shown: where its pixels lie in the picture of the source. */
inline Contours contours_of(const cv::Mat& mask, double min_area_px = 0, const ToSource& shown = {}) {
  OneNode node("contours", {{"min_area_px", min_area_px}});
  const Value image = image_of(mask, ImageFormat::mask, shown);
  node.run({&image});
  return node.out<Contours>();
}

/** Those of shapes in a picture of 640x480. */
inline Contours contours_of(const std::vector<Polygon>& shapes) {
  cv::Mat mask = cv::Mat::zeros(480, 640, CV_8UC1);
  for (const Polygon& shape : shapes) draw(mask, shape);
  return contours_of(mask);
}

inline Frame frame_of(int width, int height) {
  Frame frame;
  frame.width = width;
  frame.height = height;
  return frame;
}

using Settings = std::vector<std::pair<std::string, Param>>;

/** Parameters of a filter that keeps everything, but for these. */
inline Settings filter_settings(const Settings& changes = {}) {
  Settings all{{"area_share_min", 0.0}, {"area_share_max", 1.0}, {"ratio_min", 0.0},
               {"ratio_max", 1000.0},   {"fullness_min", 0.0},   {"fullness_max", 1.0}};
  all.insert(
      all.end(),
      {{"speckle_share", 0.0}, {"x_min_px", 0.0}, {"x_max_px", 65536.0}, {"y_min_px", 0.0}, {"y_max_px", 65536.0}});
  all.insert(all.end(), changes.begin(), changes.end());
  return all;
}

/** Parameters of a range of hues. */
inline Settings range(double hue_min_deg, double hue_max_deg, double saturation_min = 0, double value_min = 0) {
  Settings all{{"hue_min_deg", hue_min_deg},
               {"hue_max_deg", hue_max_deg},
               {"saturation_min", saturation_min},
               {"value_min", value_min}};
  all.insert(all.end(), {{"saturation_max", 255.0}, {"value_max", 255.0}});
  return all;
}

/** What a node makes of outlines in a picture of 640x480. */
inline Contours outlines_through(OneNode& node, const Contours& contours) {
  const Value value = contours;
  Frame frame = frame_of(640, 480);
  node.run({&value}, frame);
  return node.out<Contours>();
}

}  // namespace vedette::test
