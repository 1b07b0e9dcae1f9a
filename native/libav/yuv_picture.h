// Pictures as encoders of videos take them: yuv420p in the limited range that players expect (16 is black, 235 white).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fault.h"
#include "jpeg_reader.h"

struct AVFrame;

namespace vedette {

/**
 * Makes them of JPEGs and of grey pixels. A last column or row that makes their sides odd is left out. One object for
 * each thread.
 */
class YuvPicture {
 public:
  YuvPicture();
  ~YuvPicture();
  YuvPicture(const YuvPicture&) = delete;
  YuvPicture& operator=(const YuvPicture&) = delete;

  /** The picture is valid until the next one. Throws Fault `picture.corrupt`, also where pixels are lost. */
  AVFrame* of_jpeg(const uint8_t* bytes, size_t length);
  AVFrame* of_gray(const uint8_t* pixels, int width, int height, int stride);
  /** Of one grey. */
  AVFrame* plain(int width, int height);

 private:
  void begin(int width, int height);
  void read(JpegReader& reader);

  AVFrame* picture_;
  std::vector<uint8_t> luma_, cb_, cr_;
};

}  // namespace vedette
