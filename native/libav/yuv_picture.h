// Pictures as encoders of videos take them: yuv420p in the limited range that players expect (16 is black, 235 white).
#pragma once

#include <cstddef>
#include <cstdint>

#include "fault.h"

struct AVCodecContext;
struct AVFrame;
struct AVPacket;

namespace vedette {

/** Makes them of JPEGs and of grey pixels. A last column or row that makes their sides odd is left out. One object for each thread. */
class YuvPicture {
 public:
  YuvPicture();
  ~YuvPicture();
  YuvPicture(const YuvPicture&) = delete;
  YuvPicture& operator=(const YuvPicture&) = delete;

  /** The picture is valid until the next one. Throws Fault `picture.corrupt`. bytes: AV_INPUT_BUFFER_PADDING_SIZE more can be read behind them. */
  AVFrame* of_jpeg(const uint8_t* bytes, size_t length);
  AVFrame* of_gray(const uint8_t* pixels, int width, int height, int stride);
  /** Of one grey. */
  AVFrame* plain(int width, int height);

 private:
  void begin(int width, int height);
  void fill(const AVFrame& decoded);

  AVFrame* picture_;
  AVFrame* decoded_;
  AVPacket* packet_;
  AVCodecContext* jpeg_ = nullptr;  // once there is one
};

}  // namespace vedette
