// A part of a JPEG as a JPEG, with its colours.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"

namespace vedette {

/**
 * Cuts parts out of JPEGs. Where a corner lies on the border of blocks (multiples of 16 pixels suit every camera)
 * nothing is decoded, and the pixels are those of the whole picture; elsewhere the part is decoded and encoded again.
 * One object per thread.
 */
class JpegCropper {
 public:
  JpegCropper();
  ~JpegCropper();
  JpegCropper(const JpegCropper&) = delete;
  JpegCropper& operator=(const JpegCropper&) = delete;

  /** Throws Fault `picture.unencodable`, also where pixels of the picture are lost: its part would hide that. */
  std::vector<uint8_t> crop(const std::vector<uint8_t>& jpeg, const Crop& part);

 private:
  std::vector<uint8_t> cut(const std::vector<uint8_t>& jpeg, const Crop& part);

  void* compress_;
  std::vector<uint8_t> pixels_;
};

}  // namespace vedette
