// Shapes and texts drawn onto pictures, for people.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace vedette {

/**
 * Draws in continuous pixels of a picture in grey or colour. scale: how many of these pixels make one pixel of what
 * will be shown.
 */
class Pen {
 public:
  Pen(cv::Mat& picture, double scale);

  /**
   * A closed line with a black rim, which is seen on any background, and a text in the middle or above, where there is
   * no room for it.
   */
  void mark(const std::vector<cv::Point2d>& corners, const std::string& text, const cv::Scalar& colour);

  /** A closed line alone, for shapes with many points. */
  void outline(const std::vector<cv::Point2d>& points, const cv::Scalar& colour) { line(points, colour, line_px_); }

  /** Two short lines that meet there. */
  void cross(const cv::Point2d& at, const cv::Scalar& colour);

 private:
  void line(const std::vector<cv::Point2d>& points, const cv::Scalar& colour, int thickness);
  cv::Point text_origin(const std::vector<cv::Point2d>& corners, const std::string& text) const;

  cv::Mat& picture_;
  const double scale_, font_scale_;
  const int line_px_, rim_px_;
};

}  // namespace vedette
