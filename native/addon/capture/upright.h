// Pictures that are set upright where they enter, so that all who come later count from the corner that people see.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "orientation.h"
#include "picture.h"

namespace vedette {

/** Turns and mirrors pixels by the number of their orientation. One object per thread. */
class Turner {
 public:
  void set_upright(GrayImage& gray, Chroma& chroma, int orientation);

 private:
  template <typename Bytes>
  static void turn(Bytes& plane, Bytes& scratch, const uint8_t* first, int width, int height, int stride,
                   int orientation);

  PixelBytes gray_scratch_;
  std::vector<uint8_t> scratch_;
};

/**
 * A JPEG of the same picture upright, in the best quality: a level at most lies between the two. bytes: a JPEG or a
 * PNG. Throws Fault `picture.corrupt` for one that cannot be decoded.
 */
std::vector<uint8_t> upright_jpeg(const std::vector<uint8_t>& bytes, int orientation);

}  // namespace vedette
