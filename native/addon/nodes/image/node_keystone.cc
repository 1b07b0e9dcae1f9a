// A part of the picture that is seen at an angle, as if it were seen straight: four corners become those of a
// rectangle.
#include <opencv2/imgproc.hpp>

#include "image_nodes.h"
#include "picture_node.h"

namespace vedette {

namespace {

constexpr int MAX_SIDE = 8192;

struct Place {
  double x = 0, y = 0;
};
/** Of the picture, 0 to 1 on either axis; clockwise as seen, from the top left of the rectangle. */
using Corners = std::array<Place, 4>;

/** At each of them the way turns right: no two lie together, and none within the other three. */
bool is_convex(const Corners& corners) {
  for (int i = 0; i < 4; i++) {
    const Place &a = corners[i], &b = corners[(i + 1) % 4], &c = corners[(i + 2) % 4];
    if (!((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0)) return false;
  }
  return true;
}

Corners read_corners(const Params& params) {
  const std::vector<std::vector<double>> rows = params.rows("corners");
  Corners out;
  bool holds = rows.size() == 4;
  for (size_t i = 0; holds && i < 4; i++) {
    holds = rows[i].size() == 2;
    if (holds) out[i] = {rows[i][0], rows[i][1]};
  }
  if (!holds || !is_convex(out))
    throw Fault{"engine.bad_task",
                "the four corners of a rectangle go clockwise from its top left one, none of them between the others"};
  return out;
}

/** From places in the unit square to those between four corners (Heckbert 1989). */
std::array<double, 9> from_unit_square(const Corners& to) {
  const auto& [a, b, c, d] = to;
  const double dx1 = b.x - c.x, dx2 = d.x - c.x, dy1 = b.y - c.y, dy2 = d.y - c.y;
  const double sum_x = a.x - b.x + c.x - d.x, sum_y = a.y - b.y + c.y - d.y, determinant = dx1 * dy2 - dx2 * dy1;
  const double g = (sum_x * dy2 - dx2 * sum_y) / determinant, h = (dx1 * sum_y - sum_x * dy1) / determinant;
  return {b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x, b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y, g, h, 1};
}

class KeystoneNode : public PictureNode {
 public:
  /** A side of 0: that of the picture. */
  KeystoneNode(const Params& params, int width, int height)
      : width_(width), height_(height), corners_(read_corners(params)) {}

  void set_params(const Params& params) override { corners_ = read_corners(params); }

 protected:
  Image changed(const Image& image) override {
    const int width = width_ ? width_ : image.width, height = height_ ? height_ : image.height;
    const std::array<double, 9> back = way_back(image, width, height);
    const int how = (image.format == ImageFormat::mask ? cv::INTER_NEAREST : cv::INTER_LINEAR) | cv::WARP_INVERSE_MAP;
    cv::warpPerspective(view_of(image), pixels_, between_centres(back), {width, height}, how, cv::BORDER_REPLICATE);
    return image_of(pixels_, image.format, image.to_source.after(back));
  }

 private:
  /** From continuous pixels of the rectangle to those of the picture. */
  std::array<double, 9> way_back(const Image& image, int width, int height) const {
    Corners pixels = corners_;
    for (Place& corner : pixels) corner = {corner.x * image.width, corner.y * image.height};
    std::array<double, 9> out = from_unit_square(pixels);
    for (const int row : {0, 3, 6}) {
      out[row] /= width;
      out[row + 1] /= height;
    }
    return out;
  }

  /** The same for OpenCV, which counts from the centre of the first pixel. */
  static cv::Matx33d between_centres(const std::array<double, 9>& back) {
    const cv::Matx33d half(1, 0, 0.5, 0, 1, 0.5, 0, 0, 1), minus_half(1, 0, -0.5, 0, 1, -0.5, 0, 0, 1);
    return minus_half * cv::Matx33d(back.data()) * half;
  }

  const int width_, height_;
  Corners corners_;
};

int side(const Params& params, const char* name) {
  const double value = params.number_or(name, 0);
  if (value < 0 || value > MAX_SIDE)
    throw Fault{"engine.bad_task", std::string(name) + " of a rectangle is out of its range"};
  return static_cast<int>(value);
}

}  // namespace

std::unique_ptr<Node> make_keystone_node(const Params& params, const Scene&) {
  return std::make_unique<KeystoneNode>(params, side(params, "width_px"), side(params, "height_px"));
}

}  // namespace vedette
