// Pictures of printed tags whose corners are known: sheets as the families print them, slanted and out of focus.
#pragma once

#include <apriltag/apriltag.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace vedette::test {

/**
 * What is printed on a sheet, one grey level for each of its modules, and how wide the border around the marked square
 * is.
 */
struct PrintedSheet {
  cv::Mat modules;
  int border = 0;
};

/** As libapriltag prints it. */
inline PrintedSheet printed(const apriltag_family_t& family, int id) {
  image_u8_t* image = apriltag_to_image(const_cast<apriltag_family_t*>(&family), static_cast<uint32_t>(id));
  PrintedSheet out{cv::Mat(image->height, image->width, CV_8U), (family.total_width - family.width_at_border) / 2};
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      out.modules.at<uint8_t>(y, x) = image->buf[y * image->stride + x] > 127 ? 220 : 30;
  std::free(image->buf);  // libapriltag does not export its way to free pictures
  std::free(image);
  return out;
}

/** Four points in the order in which tags have their corners: lower left, lower right, upper right, upper left. */
using Quad = std::array<cv::Point2f, 4>;

inline Quad square_of(float from, float to) { return {{{from, to}, {to, to}, {to, from}, {from, from}}}; }

/** Turned about a place, clockwise by degrees, and then made lower. side_px: of the whole sheet. */
inline Quad turned_square(cv::Point2f place, float side_px, double turned_deg, float height = 1) {
  const float half = side_px / 2, c = static_cast<float>(std::cos(turned_deg * CV_PI / 180)),
              s = static_cast<float>(std::sin(turned_deg * CV_PI / 180));
  Quad out = square_of(-half, half);
  for (cv::Point2f& corner : out)
    corner = place + cv::Point2f{c * corner.x - s * corner.y, height * (s * corner.x + c * corner.y)};
  return out;
}

/** Turned about a place, clockwise by degrees, and slanted: its far side is shorter. side_px: of the whole sheet. */
inline Quad slanted(cv::Point2f place, float side_px, double turned_deg) {
  const float half = side_px / 2, c = static_cast<float>(std::cos(turned_deg * CV_PI / 180)),
              s = static_cast<float>(std::sin(turned_deg * CV_PI / 180));
  Quad out;
  for (int i = 0; i < 4; i++) {
    const cv::Point2f flat = square_of(-half, half)[i];
    const cv::Point2f turned{c * flat.x - s * flat.y, s * flat.x + c * flat.y};
    const float away = 1 + 0.12f * turned.y / half;  // what is lower is nearer
    out[i] = place + cv::Point2f{turned.x * away, 0.85f * turned.y * away};
  }
  return out;
}

/** Where in a pixel its light is taken from. */
enum class Samples {
  grid,      // edges are where they are to a twelfth of a pixel: what is read needs no more
  scattered  // to a fiftieth, however they lie
};

/** Draws a sheet between the four corners, and gives those of the square that it marks. Continuous pixels. */
inline Quad draw_sheet(cv::Mat& picture, const PrintedSheet& sheet, const Quad& corners,
                       Samples samples = Samples::grid) {
  const float cells = static_cast<float>(sheet.modules.rows), border = static_cast<float>(sheet.border);
  const cv::Mat to_pixels = cv::getPerspectiveTransform(square_of(0, cells).data(), corners.data());
  const cv::Matx33d to_cells(cv::Mat(to_pixels.inv()));
  constexpr int FINE = 6;  // samples of a pixel along each side
  const cv::Rect around = cv::boundingRect(std::vector<cv::Point2f>(corners.begin(), corners.end())) &
                          cv::Rect(0, 0, picture.cols, picture.rows);
  for (int y = around.y; y < around.br().y; y++)
    for (int x = around.x; x < around.br().x; x++) {
      int light = 0, seen = 0;
      for (int i = 0; i < FINE * FINE; i++) {
        const double a = i % FINE, b = i / FINE;
        const bool is_grid = samples == Samples::grid;
        const double right = is_grid ? a + 0.5 : a + (b + 0.5) / FINE;
        const double down = is_grid ? b + 0.5 : b + 1 - (a + 0.5) / FINE;
        const cv::Vec3d at = to_cells * cv::Vec3d(x + right / FINE, y + down / FINE, 1);
        const double column = at[0] / at[2], row = at[1] / at[2];
        if (!(column >= 0 && row >= 0 && column < cells && row < cells)) continue;
        light += sheet.modules.at<uint8_t>(static_cast<int>(row), static_cast<int>(column));
        seen++;
      }
      uint8_t& pixel = picture.at<uint8_t>(y, x);
      pixel = static_cast<uint8_t>((light + (FINE * FINE - seen) * pixel) / (FINE * FINE));
    }
  const Quad square = square_of(border, cells - border);
  std::vector<cv::Point2f> marked;
  cv::perspectiveTransform(std::vector<cv::Point2f>(square.begin(), square.end()), marked, to_pixels);
  Quad out;
  std::copy(marked.begin(), marked.end(), out.begin());
  return out;
}

/** An empty wall. */
inline cv::Mat wall(int width = 320, int height = 240) { return cv::Mat(height, width, CV_8U, cv::Scalar(160)); }

inline void blur(cv::Mat& picture, double sigma_px) {
  cv::GaussianBlur(picture, picture, {}, sigma_px, sigma_px, cv::BORDER_REPLICATE);
}

}  // namespace vedette::test
