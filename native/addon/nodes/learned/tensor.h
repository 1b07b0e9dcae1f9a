// What a model answers, as its runtime leaves it in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vedette {

/** Of the numbers of a tensor; written by native/engine/process/host/tensors.ts, which has the same list. */
enum class Element : uint32_t { f32 = 1, u8 = 2, i32 = 3, i64 = 4, f64 = 5 };

/** Numbers in rows: the last dimension's lie side by side. data: aligned to its elements. */
struct Tensor {
  static constexpr size_t MAX_DIMS = 8;
  Element element = Element::f32;
  size_t rank = 0;
  std::array<size_t, MAX_DIMS> dims{};
  const void* data = nullptr;

  size_t count() const {
    size_t out = 1;
    for (size_t i = 0; i < rank; i++) out *= dims[i];
    return out;
  }

  const float* floats() const { return static_cast<const float*>(data); }

  /** Whatever its numbers are. */
  double at(size_t index) const;
};

/** All outputs of a model, in the order in which it names them. */
struct Tensors {
  static constexpr size_t MAX = 8;
  std::array<Tensor, MAX> all{};
  size_t count = 0;
};

/**
 * Reads the head that stands before the numbers: how many tensors there are, and of each its element, its number of
 * dimensions, eight dimensions, and where its numbers begin; 32-bit numbers all of them. Throws Fault `step.failed` for
 * what does not hold together; nothing is read beyond `bytes`.
 */
Tensors read_tensors(const uint8_t* answer, size_t bytes);

}  // namespace vedette
