// A part of the pictures of a source: a view of grey pixels, a note on what is still compressed.
#include <utility>

#include "source.h"

namespace vedette {
namespace {

class CroppedSource : public Source {
 public:
  CroppedSource(std::unique_ptr<Source> source, const Crop& crop) : source_(std::move(source)), crop_(crop) {}

  SourceFormat open() override {
    SourceFormat format = source_->open();
    AppliedCrop& applied = format.applied;
    if (applied.sensor.is_whole()) {
      applied.whole_width = format.width;
      applied.whole_height = format.height;
    }
    if (!crop_.fits(applied.whole_width, applied.whole_height)) refuse(applied);
    applied.crop = crop_;
    rest_ = {crop_.x - applied.sensor.x, crop_.y - applied.sensor.y, crop_.width, crop_.height};
    width_ = format.width;
    height_ = format.height;
    fit_intrinsics(format);
    format.width = crop_.width;
    format.height = crop_.height;
    return format;
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    const Next got = source_->next(frame, fault, stopping);
    if (got != Next::frame) return got;
    // another part of what the camera sees, for which neither the calibration nor the crop was meant
    if (frame.width != width_ || frame.height != height_) {
      fault = {"picture.other_size", (frame.name.empty() ? "a picture" : frame.name) + " has " +
                                         size_text(frame.width, frame.height) + " pixels, the first picture " +
                                         size_text(width_, height_) +
                                         ", so that it is left out; the crop of a stream needs pictures of one size"};
      return Next::corrupt;
    }
    const bool is_gray = frame.encoded.empty();
    frame.width = crop_.width;
    frame.height = crop_.height;
    frame.crop = is_gray ? Crop{} : rest_;
    if (is_gray) {
      frame.gray.keep(rest_);
      frame.chroma.keep(rest_);
    }
    if (frame.has_truth) shift(frame.truth);
    return got;
  }

  void want_colour(bool wanted) override { source_->want_colour(wanted); }
  size_t pictures() const override { return source_->pictures(); }
  std::shared_ptr<CameraControls> controls() override { return source_->controls(); }

 private:
  [[noreturn]] void refuse(const AppliedCrop& applied) const {
    throw Fault{"camera.mode", "the crop of the stream, " + size_text(crop_.width, crop_.height) + " at (" +
                                   std::to_string(crop_.x) + ", " + std::to_string(crop_.y) +
                                   "), does not lie in the picture, which has " +
                                   size_text(applied.whole_width, applied.whole_height) +
                                   " pixels; choose a smaller one, or take it off"};
  }

  /**
   * A calibration is of whole pictures. One of others says nothing here, not even where it happens to have the size of
   * the part.
   */
  void fit_intrinsics(SourceFormat& format) const {
    Intrinsics& camera = format.intrinsics;
    if (!camera.known) return;
    const AppliedCrop& applied = format.applied;
    if (camera.width != applied.whole_width || camera.height != applied.whole_height) {
      format.warnings.push_back({"camera.intrinsics_mismatch",
                                 "the calibration is for pictures of " + size_text(camera.width, camera.height) +
                                     ", the whole picture of the camera has " +
                                     size_text(applied.whole_width, applied.whole_height) +
                                     ": no poses are solved; calibrate in this video mode or choose the other"});
      camera.known = false;
      return;
    }
    camera.width = crop_.width;
    camera.height = crop_.height;
    camera.cx -= crop_.x;
    camera.cy -= crop_.y;
  }

  void shift(Truth& truth) const {
    const auto move = [this](double(&point)[2]) {
      point[0] -= crop_.x;
      point[1] -= crop_.y;
    };
    for (VisibleTag& tag : truth.visible) {
      move(tag.center);
      for (auto& corner : tag.corners) move(corner);
    }
  }

  const std::unique_ptr<Source> source_;
  const Crop crop_;
  Crop rest_;                   // in the pictures that come
  int width_ = 0, height_ = 0;  // of these
};

}  // namespace

std::unique_ptr<Source> cropped(std::unique_ptr<Source> source, const Crop& crop) {
  if (crop.is_whole()) return source;
  return std::make_unique<CroppedSource>(std::move(source), crop);
}

}  // namespace vedette
