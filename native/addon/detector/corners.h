// What four corners in a picture take up.
#pragma once

#include <algorithm>
#include <cmath>
#include <opencv2/core/types.hpp>

namespace vedette {

/** As std::hypot, of which each libm has its own last bits. */
inline double length_of(double dx, double dy) { return std::sqrt(dx * dx + dy * dy); }

inline double max_side(const double (&corners)[4][2]) {
  double longest = 0;
  for (int i = 0; i < 4; i++)
    longest =
        std::max(longest, std::hypot(corners[i][0] - corners[(i + 1) % 4][0], corners[i][1] - corners[(i + 1) % 4][1]));
  return longest;
}

/** The upright rectangle around them, and so much more on each side. */
inline cv::Rect2d box_around(const double (&corners)[4][2], double margin) {
  double least[2] = {corners[0][0], corners[0][1]}, most[2] = {least[0], least[1]};
  for (const double(&corner)[2] : corners)
    for (int axis = 0; axis < 2; axis++)
      least[axis] = std::min(least[axis], corner[axis]), most[axis] = std::max(most[axis], corner[axis]);
  return {least[0] - margin, least[1] - margin, most[0] - least[0] + 2 * margin, most[1] - least[1] + 2 * margin};
}

}  // namespace vedette
