// A picture out of focus.
#pragma once

#include <vector>

#include "frame.h"

namespace vedette {

/** Blurs pictures by a Gaussian of one size. Keeps its buffers; not for use by two threads at once. */
class Blur {
 public:
  /** sigma_px: 0: leaves pictures as they are. */
  explicit Blur(double sigma_px);

  void apply(GrayImage& picture);

 private:
  void along_row(const uint8_t* from, int width, uint16_t* to);

  std::vector<uint32_t> weights_;  // from the middle on; with those of the other side they sum up to ONE
  std::vector<uint8_t> row_;       // one row, its ends repeated
  std::vector<uint16_t> rows_;     // the picture blurred along its rows, 256ths of a grey level
  std::vector<uint32_t> sums_;
};

}  // namespace vedette
