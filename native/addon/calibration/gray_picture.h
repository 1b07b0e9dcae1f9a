// Pictures as boards are looked for in them: grey, and upright.
#pragma once

#include <cstdint>
#include <vector>

#include "picture.h"
#include "upright.h"

namespace vedette {

/** Reads one picture after the other. */
class GrayReader {
 public:
  /** file: a JPEG or a PNG. Throws a Fault where it is neither, or too large. */
  void read(const std::vector<uint8_t>& file, GrayImage& to) {
    decoder_.decode_gray(file.data(), file.size(), to);
    if (to.width * 1e-6 * to.height > MAX_MEGAPIXELS)
      throw Fault{"picture.corrupt", "the picture is larger than 20 megapixels"};
    Chroma none;
    turner_.set_upright(to, none, noted_orientation(file.data(), file.size()));
  }

 private:
  static constexpr double MAX_MEGAPIXELS = 20;

  PictureDecoder decoder_;
  Turner turner_;
};

}  // namespace vedette
