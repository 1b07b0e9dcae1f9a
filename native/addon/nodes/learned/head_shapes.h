// The shapes that heads can read, told from those that they cannot.
#pragma once

#include <string>

#include "source.h"
#include "tensor.h"

namespace vedette {

/** As people write it: 1x84x8400. */
inline std::string shape_text(const Tensor& tensor) {
  std::string out;
  for (size_t i = 0; i < tensor.rank; i++) out += (i ? "x" : "") + std::to_string(tensor.dims[i]);
  return out.empty() ? "one number" : out;
}

[[noreturn]] inline void refuse_shape(const Tensor& tensor, const char* expected) {
  throw Fault{"step.failed",
              "the model answers with " + shape_text(tensor) + ", and " + expected + " is read; choose another head"};
}

/** The tensor's rows and columns, when it is one matrix of 32-bit floating point numbers. */
struct Matrix {
  size_t rows = 0, columns = 0;
};

inline Matrix matrix_of(const Tensor& tensor, const char* expected) {
  const bool is_one = tensor.rank == 2 || (tensor.rank == 3 && tensor.dims[0] == 1);
  if (!is_one || tensor.element != Element::f32) refuse_shape(tensor, expected);
  return {tensor.dims[tensor.rank - 2], tensor.dims[tensor.rank - 1]};
}

}  // namespace vedette
