// A grey picture as the detector reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vedette {

/**
 * One byte a pixel; stride: bytes from one row to the next. Pixel (x, y) covers the square from (x, y) to (x + 1, y +
 * 1), so its centre is at (x + 0.5, y + 0.5).
 */
struct GreyView {
  const uint8_t* pixels = nullptr;
  int width = 0, height = 0, stride = 0;

  const uint8_t* row(int y) const { return pixels + static_cast<size_t>(y) * stride; }
};

/** Bilinear between the centres of pixels. False outside of these. */
inline bool grey_between(const GreyView& picture, double x, double y, double& grey) {
  x -= 0.5, y -= 0.5;
  if (!(x >= 0 && y >= 0 && x < picture.width - 1 && y < picture.height - 1)) return false;
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const double right_share = x - left, lower_share = y - top;
  const uint8_t *upper = picture.row(top) + left, *lower = upper + picture.stride;
  grey = (1 - lower_share) * ((1 - right_share) * upper[0] + right_share * upper[1]) +
         lower_share * ((1 - right_share) * lower[0] + right_share * lower[1]);
  return true;
}

/** The pixel at a place. False outside of the picture. */
inline bool grey_of_pixel(const GreyView& picture, double x, double y, double& grey) {
  if (!(x >= 0 && y >= 0 && x < picture.width && y < picture.height)) return false;
  grey = picture.row(static_cast<int>(y))[static_cast<int>(x)];
  return true;
}

}  // namespace vedette
