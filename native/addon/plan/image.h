// A picture as it travels between nodes, and where its pixels lie in the picture of the source.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace vedette {

/**
 * gray: a byte for each pixel. colour: three, blue, green, red. mask: a byte, 0 or 255. An ImageFormat of
 * machines/pipeline/kinds.ts, by its index.
 */
enum class ImageFormat { gray, colour, mask };
constexpr const char* IMAGE_FORMAT_NAMES[] = {"gray", "colour", "mask"};

/**
 * Bends the straight lines of an undistorted picture back to where the lens had put them. Continuous pixels of the
 * source picture on both sides.
 */
class Bend {
 public:
  virtual ~Bend() = default;
  virtual void apply(double& x, double& y) const = 0;
  /** The other way. */
  virtual void undo(double& x, double& y) const = 0;
};

/**
 * From continuous pixel coordinates of an image (first pixel's centre = 0.5) to those of the source picture: a 3x3
 * matrix, row by row, then the bend of the lens where that was taken out.
 */
struct ToSource {
  std::array<double, 9> matrix{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Bend* bend = nullptr;

  /**
   * False for what lies behind the horizon of an image that was straightened, and for what is no place. Within the
   * image all are.
   */
  bool apply(double& x, double& y) const {
    const auto& m = matrix;
    const double w = m[6] * x + m[7] * y + m[8], u = (m[0] * x + m[1] * y + m[2]) / w;
    y = (m[3] * x + m[4] * y + m[5]) / w;
    x = u;
    if (bend) bend->apply(x, y);
    return w > 0 && std::isfinite(x) && std::isfinite(y);
  }

  bool apply(const double (&from)[2], double (&to)[2]) const {
    to[0] = from[0];
    to[1] = from[1];
    return apply(to[0], to[1]);
  }

  /** That of an image whose pixels `inner` takes into those of this one. */
  ToSource after(const std::array<double, 9>& inner) const {
    ToSource out{{}, bend};
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 3; column++)
        for (int k = 0; k < 3; k++) out.matrix[3 * row + column] += matrix[3 * row + k] * inner[3 * k + column];
    return out;
  }

  /** For an image whose pixels are `scale` of this one's large, the first of them at `offset`. */
  ToSource scaled(double scale_x, double scale_y, double offset_x, double offset_y) const {
    return after({scale_x, 0, offset_x, 0, scale_y, offset_y, 0, 0, 1});
  }

  /** No perspective and no bend: parallel lines stay parallel. */
  bool is_affine() const { return !bend && matrix[6] == 0 && matrix[7] == 0; }

  bool operator==(const ToSource& other) const { return matrix == other.matrix && bend == other.bend; }

  /** Source pixels for one of the image, about its place (x, y); the root of the areas' ratio. */
  double scale_at(double x, double y) const;
};

/** The other way: from continuous pixels of the source picture to those of an image. */
class FromSource {
 public:
  explicit FromSource(const ToSource& to_source);
  /** False for what lies behind the viewer of the image, and for what is no place. */
  bool apply(double& x, double& y) const;

 private:
  std::array<double, 9> matrix_;
  const Bend* bend_;
};

/**
 * Pixels with another owner; they live until the node that made them runs again. stride: bytes from one row to the
 * next.
 */
struct Image {
  const uint8_t* pixels = nullptr;
  int width = 0, height = 0, stride = 0;
  ImageFormat format = ImageFormat::gray;
  ToSource to_source{};

  bool is_empty() const { return width == 0 || height == 0; }
  int channels() const { return format == ImageFormat::colour ? 3 : 1; }
};

}  // namespace vedette
