// The picture as a lens that bends nothing would have seen it, with the same focal lengths and centre. It stays the
// same part of the picture in the same size; what the lens had pressed into the edges is lost, and what it had not seen
// is black.
#include <optional>

#include "image_nodes.h"
#include "lens_model.h"
#include "pixel_map.h"
#include "views.h"

namespace vedette {

namespace {

/** Pixels of the source, straight and as the lens bent them. */
class LensBend : public Bend {
 public:
  explicit LensBend(const Intrinsics& camera) : camera_(camera), model_(camera) {}

  void apply(double& x, double& y) const override {
    const LensModel::Distorted bent = model_.distort(ideal_x(x), ideal_y(y));
    x = pixel_x(bent.x);
    y = pixel_y(bent.y);
  }

  void undo(double& x, double& y) const override {
    double straight_x, straight_y;
    model_.undistort(ideal_x(x), ideal_y(y), straight_x, straight_y);
    x = pixel_x(straight_x);
    y = pixel_y(straight_y);
  }

  /** Whether the lens shows that place at all, and once. */
  bool shows(double x, double y) const { return model_.is_one_to_one(ideal_x(x), ideal_y(y)); }

  bool is_straight() const { return model_.is_straight(); }

 private:
  // OpenCV's centre of the first pixel is 0, ours is 0.5.
  double ideal_x(double x) const { return (x - 0.5 - camera_.cx) / camera_.fx; }
  double ideal_y(double y) const { return (y - 0.5 - camera_.cy) / camera_.fy; }
  double pixel_x(double x) const { return camera_.fx * x + camera_.cx + 0.5; }
  double pixel_y(double y) const { return camera_.fy * y + camera_.cy + 0.5; }

  const Intrinsics camera_;
  const LensModel model_;
};

class UndistortNode : public Node {
 public:
  explicit UndistortNode(const Intrinsics& camera) : camera_(camera), bend_(camera) {
    // now, and not while a picture waits: it takes as long as some of them
    if (camera.known && !bend_.is_straight()) compute_map({nullptr, camera.width, camera.height});
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Image& out = ports.out<Image>();
    const bool fits = camera_.known && camera_.width == moment.frame.width && camera_.height == moment.frame.height;
    if (!fits || bend_.is_straight() || image.to_source.bend || image.is_empty()) {
      out = image;
      return;
    }
    if (!is_mapped(image)) compute_map(image);
    map_.apply(view_of(image), image.format, pixels_);
    out = image_of(pixels_, image.format, {image.to_source.matrix, &bend_});
  }

 private:
  bool is_mapped(const Image& image) const {
    return mapped_ && mapped_->width == image.width && mapped_->height == image.height &&
           mapped_->to_source == image.to_source;
  }

  void compute_map(const Image& image) {
    const FromSource back(image.to_source);
    map_.compute(image.width, image.height, [&](double& x, double& y) {
      if (!image.to_source.apply(x, y) || !bend_.shows(x, y)) return false;
      bend_.apply(x, y);
      return back.apply(x, y);
    });
    mapped_ = image;
  }

  const Intrinsics camera_;
  const LensBend bend_;
  PixelMap map_;
  std::optional<Image> mapped_;  // for which map_ holds; of its pixels nothing is read
  cv::Mat pixels_;
};

}  // namespace

std::unique_ptr<Node> make_undistort_node(const Params&, const Scene& scene) {
  return std::make_unique<UndistortNode>(scene.intrinsics);
}

}  // namespace vedette
