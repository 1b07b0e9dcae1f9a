// Grey pictures for the detector, each in memory that ends with its last pixel, so that a look beyond it is seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "grey_view.h"
#include "row_kernels.h"
#include "suite.h"

namespace vedette::test {

/** Whether this run may take minutes. */
inline bool takes_its_time = false;

/** The same numbers in every run. */
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  uint64_t word() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545F4914F6CDD1DU;
  }
  /** From 0 to before `end`. */
  int below(int end) { return static_cast<int>((word() >> 32) * static_cast<uint64_t>(end) >> 32); }

 private:
  uint64_t state_;
};

/** Memory of exactly so many elements, which begin `aside` bytes behind where memory is aligned. */
template <typename T>
class Exactly {
 public:
  explicit Exactly(size_t count, size_t aside = 0)
      : bytes_(new uint8_t[aside + count * sizeof(T)]), aside_(aside), count_(count) {}
  T* data() { return reinterpret_cast<T*>(bytes_.get() + aside_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.get() + aside_); }
  size_t size() const { return count_; }
  T& operator[](size_t i) { return data()[i]; }
  void fill(uint8_t value) { std::memset(data(), value, count_ * sizeof(T)); }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t aside_, count_;
};

/** A picture whose memory ends with the last pixel of its last row. Between rows lies noise. */
class Picture {
 public:
  Picture(int width, int height, int stride = 0, size_t aside = 0)
      : width_(width),
        height_(height),
        stride_(stride ? stride : width),
        pixels_(static_cast<size_t>(stride_) * (height - 1) + width, aside) {
    Dice dice(7);
    for (size_t i = 0; i < pixels_.size(); i++) pixels_[i] = static_cast<uint8_t>(dice.word());
  }

  /** Each pixel by its place. */
  Picture(int width, int height, const std::function<int(int x, int y)>& grey) : Picture(width, height) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) at(x, y) = static_cast<uint8_t>(grey(x, y));
  }

  explicit Picture(const cv::Mat& from, int stride = 0, size_t aside = 0)
      : Picture(from.cols, from.rows, stride, aside) {
    for (int y = 0; y < height_; y++) std::memcpy(&at(0, y), from.ptr(y), width_);
  }

  uint8_t& at(int x, int y) { return pixels_[static_cast<size_t>(y) * stride_ + x]; }
  uint8_t at(int x, int y) const { return pixels_.data()[static_cast<size_t>(y) * stride_ + x]; }
  int width() const { return width_; }
  int height() const { return height_; }
  GreyView view() const { return {pixels_.data(), width_, height_, stride_}; }

 private:
  int width_, height_, stride_;
  Exactly<uint8_t> pixels_;
};

inline Picture noise(int width, int height, uint64_t seed = 1) {
  Dice dice(seed);
  return Picture(width, height, [&](int, int) { return dice.below(256); });
}

/** A way of one pixel that winds inwards, as wide as what lies between its turns. */
inline bool is_on_spiral(int x, int y, int size) {
  const int ring = std::min({x, y, size - 1 - x, size - 1 - y});
  const bool is_way_in = x == ring && y == ring + 1;
  return (ring % 2 == 0) != is_way_in;
}

/** The vector paths that this processor has, the scalar one first. */
struct NamedPath {
  const char* name;
  VectorPath path;
};

inline std::vector<NamedPath> vector_paths() {
  std::vector<NamedPath> out;
  for (const NamedPath& each : {NamedPath{"scalar", VectorPath::scalar},
                                {"SSE4.1", VectorPath::sse41},
                                {"AVX2", VectorPath::avx2},
                                {"NEON", VectorPath::neon}})
    if (row_kernels(each.path)) out.push_back(each);
  return out;
}

inline std::string names_of_paths() {
  std::string out;
  for (const NamedPath& each : vector_paths()) out += (out.empty() ? "" : ", ") + std::string(each.name);
  return out;
}

}  // namespace vedette::test
