// Pictures whose pixels come from elsewhere in another, pixel by pixel; computed once, used for every picture.
#pragma once

#include <opencv2/core.hpp>

#include "image.h"

namespace vedette {

/** Keeps six bytes for each pixel of the picture that it makes. */
class PixelMap {
 public:
  /**
   * For pictures of that size: `place` takes continuous pixel coordinates of one to those in the picture that the
   * pixels come from, and returns false where they come from nowhere.
   */
  template <typename Place>
  void compute(int width, int height, Place place) {
    resize(width, height);
    for (int row = 0; row < height; row++)
      for (int column = 0; column < width; column++) {
        double x = column + 0.5, y = row + 0.5;
        const bool is_anywhere = place(x, y);
        set(column, row, is_anywhere, x, y);
      }
  }

  /** What comes from outside is black. In a mask is what is more than half in it. */
  void apply(const cv::Mat& from, ImageFormat format, cv::Mat& to) const;

 private:
  void resize(int width, int height);
  void set(int column, int row, bool is_anywhere, double x, double y);

  cv::Mat whole_, fraction_;  // as cv::remap wants them
};

}  // namespace vedette
