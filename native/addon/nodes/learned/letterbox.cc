#include "letterbox.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "source.h"
#include "views.h"

namespace vedette {

namespace {

/** Of the bars: the grey that models of this kind were trained with. */
constexpr double BAR_LEVEL = 114;

/** Red, green, blue. */
constexpr double IMAGENET_MEAN[] = {0.485, 0.456, 0.406}, IMAGENET_DEVIATION[] = {0.229, 0.224, 0.225};

/** A level times `scale`, and `shift` more. */
struct Affine {
  double scale = 1, shift = 0;
};

/** colour: red, green, blue. */
Affine affine_of(Levels levels, int colour) {
  switch (levels) {
    case Levels::unit:
      return {1 / 255.0, 0};
    case Levels::symmetric:
      return {2 / 255.0, -1};
    case Levels::imagenet:
      return {1 / (255 * IMAGENET_DEVIATION[colour]), -IMAGENET_MEAN[colour] / IMAGENET_DEVIATION[colour]};
    case Levels::bytes:
      break;
  }
  return {};
}

int rounded(double value, int most) { return std::clamp(static_cast<int>(std::lround(value)), 1, most); }

}  // namespace

Levels levels_of(const std::string& name) {
  if (name == "unit") return Levels::unit;
  if (name == "bytes") return Levels::bytes;
  if (name == "symmetric") return Levels::symmetric;
  if (name == "imagenet") return Levels::imagenet;
  throw Fault{"engine.bad_task", "there are no levels called " + name};
}

Letterbox::Letterbox(const ModelInput& input, Fit fit) : input_(input), fit_(fit) {}

ToSource Letterbox::write(const Image& image, uint8_t* room) {
  const double wide = static_cast<double>(input_.width) / image.width,
               high = static_cast<double>(input_.height) / image.height;
  cv::Rect from(0, 0, image.width, image.height), to(0, 0, input_.width, input_.height);
  if (fit_ == Fit::whole) {
    const double scale = std::min(wide, high);
    to.width = rounded(image.width * scale, input_.width);
    to.height = rounded(image.height * scale, input_.height);
    to.x = (input_.width - to.width) / 2;
    to.y = (input_.height - to.height) / 2;
  } else {
    const double scale = std::max(wide, high);
    from.width = rounded(input_.width / scale, image.width);
    from.height = rounded(input_.height / scale, image.height);
    from.x = (image.width - from.width) / 2;
    from.y = (image.height - from.height) / 2;
  }
  draw(view_of(image), from, to);
  fill(room, drawn_to(room));
  const double scale_x = static_cast<double>(from.width) / to.width,
               scale_y = static_cast<double>(from.height) / to.height;
  return image.to_source.scaled(scale_x, scale_y, from.x - to.x * scale_x, from.y - to.y * scale_y);
}

/** Bars are drawn when the pictures change their size, and not again. */
void Letterbox::draw(const cv::Mat& picture, const cv::Rect& from, const cv::Rect& to) {
  if (canvas_.empty() || canvas_.type() != picture.type() || drawn_ != to) {
    canvas_.create(input_.height, input_.width, picture.type());
    canvas_.setTo(cv::Scalar::all(BAR_LEVEL));
    drawn_ = to;
    filled_ = nullptr;
  }
  cv::resize(picture(from), canvas_(to), to.size(), 0, 0, cv::INTER_LINEAR);
}

/** What must be written of it: all, or, where the bars stand already, the picture alone. */
cv::Rect Letterbox::drawn_to(const uint8_t* room) {
  const bool has_bars = std::exchange(filled_, room) == room;
  return has_bars ? drawn_ : cv::Rect(0, 0, input_.width, input_.height);
}

void Letterbox::fill(uint8_t* room, const cv::Rect& part) {
  if (input_.is_planar && input_.channels > 1) fill_planes(room, part);
  else fill_pixels(room, part);
}

/** Red first, where the canvas has blue first: so there is no need to turn them round before. */
void Letterbox::fill_planes(uint8_t* room, const cv::Rect& part) {
  const size_t bytes = input_.bytes() / input_.channels;
  const int given = canvas_.channels();
  if (given > 1) cv::split(canvas_(part), planes_);
  for (int i = 0; i < input_.channels; i++) {
    const cv::Mat levels = given > 1 ? planes_[given - 1 - i] : canvas_(part);
    const auto [scale, shift] = affine_of(input_.levels, i);
    if (input_.element == Element::u8)
      levels.copyTo(cv::Mat(input_.height, input_.width, CV_8U, room + i * bytes)(part));
    else levels.convertTo(cv::Mat(input_.height, input_.width, CV_32F, room + i * bytes)(part), CV_32F, scale, shift);
  }
}

/** As many channels as the model takes; red first where there are three. */
const cv::Mat& Letterbox::matched(const cv::Rect& part) {
  const int given = canvas_.channels();
  if (given == 1 && input_.channels == 1) matched_ = canvas_(part);
  else if (given == 1) cv::cvtColor(canvas_(part), matched_, cv::COLOR_GRAY2RGB);
  else cv::cvtColor(canvas_(part), matched_, input_.channels == 1 ? cv::COLOR_BGR2GRAY : cv::COLOR_BGR2RGB);
  return matched_;
}

void Letterbox::fill_pixels(uint8_t* room, const cv::Rect& part) {
  const int channels = input_.channels;
  const cv::Mat& pixels = matched(part);
  if (input_.element == Element::u8)
    return pixels.copyTo(cv::Mat(input_.height, input_.width, CV_8UC(channels), room)(part));
  cv::Mat out = cv::Mat(input_.height, input_.width, CV_32FC(channels), room)(part);
  if (input_.levels != Levels::imagenet) {
    const auto [scale, shift] = affine_of(input_.levels, 0);
    return pixels.convertTo(out, CV_32F, scale, shift);
  }
  for (int y = 0; y < part.height; y++) {
    const uint8_t* row = pixels.ptr(y);
    auto* to = out.ptr<float>(y);
    for (int x = 0; x < part.width; x++)
      for (int i = 0; i < channels; i++) {
        const auto [scale, shift] = affine_of(input_.levels, i);
        *to++ = static_cast<float>(*row++ * scale + shift);
      }
  }
}

}  // namespace vedette
