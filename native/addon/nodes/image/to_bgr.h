// Pixels of blue, green and red from the grey of a picture and the colour beside it.
#pragma once

#include "frame.h"

namespace vedette {

/** Converts pictures one after the other; keeps its buffers. */
class BgrConverter {
 public:
  /** Three bytes for each pixel, row behind row, until the next picture. Without chroma every pixel is grey. */
  const uint8_t* convert(const GrayImage& gray, const Chroma& chroma);

 private:
  PixelBytes pixels_;
  std::vector<uint8_t> cb_, cr_;
};

}  // namespace vedette
