// Pictures as a sensor gives them in the dark.
#pragma once

#include "pictures.h"

namespace vedette::test {

/** With a share of its contrast, and each pixel off by up to so many grey levels, as in every run. */
inline void make_noisy(cv::Mat& picture, double contrast, int max_off, uint64_t seed = 1) {
  constexpr double MIDDLE_GREY = 120;
  Dice dice(seed);
  for (int y = 0; y < picture.rows; y++)
    for (int x = 0; x < picture.cols; x++) {
      uint8_t& pixel = picture.at<uint8_t>(y, x);
      pixel = cv::saturate_cast<uint8_t>(MIDDLE_GREY + contrast * (pixel - MIDDLE_GREY) + dice.below(2 * max_off + 1) -
                                         max_off);
    }
}

}  // namespace vedette::test
