// A picture as a model takes it: at its size, its aspect kept, in the numbers that it was trained on.
#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "image.h"
#include "tensor.h"

namespace vedette {

/**
 * What numbers the levels of a picture become. unit: 0 to 1. bytes: 0 to 255, as they are. symmetric: -1 to 1.
 * imagenet: less the mean of that set of pictures and over its deviation, by colour.
 */
enum class Levels { unit, bytes, symmetric, imagenet };

/** Throws Fault `engine.bad_task`. */
Levels levels_of(const std::string& name);

/**
 * What a model takes: one picture, red, green, blue or grey. is_planar: one colour after the other (NCHW), else pixel
 * by pixel (NHWC). element: f32 or u8, which takes levels as they are.
 */
struct ModelInput {
  int width = 0, height = 0, channels = 3;
  bool is_planar = true;
  Element element = Element::f32;
  Levels levels = Levels::unit;

  size_t bytes() const {
    return static_cast<size_t>(width) * height * channels * (element == Element::u8 ? 1 : sizeof(float));
  }
};

/** whole: all of the picture, with grey bars beside it. middle: as much of its middle as fills the input. */
enum class Fit { whole, middle };

/** Makes inputs of pictures, any size of them; keeps its buffers. */
class Letterbox {
 public:
  Letterbox(const ModelInput& input, Fit fit);

  /**
   * Fills `room`, which has the bytes of the input, aligned to its numbers; one that is filled again is as it was left.
   * Returns where the input's pixels lie in the picture of the source. The picture is not empty.
   */
  ToSource write(const Image& image, uint8_t* room);

  const ModelInput& input() const { return input_; }

 private:
  void draw(const cv::Mat& picture, const cv::Rect& from, const cv::Rect& to);
  cv::Rect drawn_to(const uint8_t* room);
  void fill(uint8_t* room, const cv::Rect& part);
  void fill_planes(uint8_t* room, const cv::Rect& part);
  const cv::Mat& matched(const cv::Rect& part);
  void fill_pixels(uint8_t* room, const cv::Rect& part);

  const ModelInput input_;
  const Fit fit_;
  cv::Rect drawn_;                   // of the canvas; the rest of it is bars
  const uint8_t* filled_ = nullptr;  // the room that has these bars
  cv::Mat canvas_, matched_, planes_[3];
};

}  // namespace vedette
