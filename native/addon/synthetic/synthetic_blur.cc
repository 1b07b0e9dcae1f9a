#include "synthetic_blur.h"

#include <algorithm>
#include <cmath>

namespace vedette {
namespace {

constexpr int ONE_BITS = 15, FINE_BITS = 8;
constexpr uint32_t ONE = 1u << ONE_BITS;
constexpr double REACH = 3.5;  // sigmas

}  // namespace

Blur::Blur(double sigma_px) {
  if (!(sigma_px > 0)) return;
  const int reach = std::max(1, static_cast<int>(std::ceil(REACH * sigma_px)));
  std::vector<double> share;
  double sum = 0;
  for (int i = 0; i <= reach; i++) {
    share.push_back(std::exp(-i * i / (2 * sigma_px * sigma_px)));
    sum += (i == 0 ? 1 : 2) * share.back();
  }
  uint32_t others = 0;
  for (const double each : share) weights_.push_back(static_cast<uint32_t>(std::lround(each / sum * ONE)));
  for (int i = 1; i <= reach; i++) others += 2 * weights_[static_cast<size_t>(i)];
  weights_[0] = ONE - others;
}

void Blur::along_row(const uint8_t* from, int width, uint16_t* to) {
  const int reach = static_cast<int>(weights_.size()) - 1;
  std::fill_n(row_.begin(), reach, from[0]);
  std::copy_n(from, width, row_.begin() + reach);
  std::fill_n(row_.begin() + reach + width, reach, from[width - 1]);
  uint32_t* __restrict sums = sums_.data();
  std::fill_n(sums, width, 1u << (ONE_BITS - FINE_BITS - 1));
  for (int i = -reach; i <= reach; i++) {
    const uint32_t weight = weights_[static_cast<size_t>(std::abs(i))];
    const uint8_t* __restrict pixels = &row_[static_cast<size_t>(reach + i)];
    for (int u = 0; u < width; u++) sums[u] += weight * pixels[u];
  }
  for (int u = 0; u < width; u++) to[u] = static_cast<uint16_t>(sums[u] >> (ONE_BITS - FINE_BITS));
}

void Blur::apply(GrayImage& picture) {
  if (weights_.empty()) return;
  const int reach = static_cast<int>(weights_.size()) - 1, width = picture.width, height = picture.height;
  row_.resize(static_cast<size_t>(width) + 2 * static_cast<size_t>(reach));
  sums_.resize(static_cast<size_t>(width));
  rows_.resize(static_cast<size_t>(width) * height);
  for (int v = 0; v < height; v++)
    along_row(&picture.pixels[static_cast<size_t>(v) * picture.stride], width, &rows_[static_cast<size_t>(v) * width]);
  uint32_t* __restrict sums = sums_.data();
  for (int v = 0; v < height; v++) {
    std::fill_n(sums, width, 1u << (ONE_BITS + FINE_BITS - 1));
    for (int i = -reach; i <= reach; i++) {
      const uint32_t weight = weights_[static_cast<size_t>(std::abs(i))];
      const uint16_t* __restrict row = &rows_[static_cast<size_t>(std::clamp(v + i, 0, height - 1)) * width];
      for (int u = 0; u < width; u++) sums[u] += weight * row[u];
    }
    uint8_t* pixels = &picture.pixels[static_cast<size_t>(v) * picture.stride];
    for (int u = 0; u < width; u++) pixels[u] = static_cast<uint8_t>(sums[u] >> (ONE_BITS + FINE_BITS));
  }
}

}  // namespace vedette
