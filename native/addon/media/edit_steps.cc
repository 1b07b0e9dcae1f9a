#include "edit_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace vedette::media {
namespace {

/** A picture of the same kind and another size, without pixels yet. */
Picture blank(const Picture& like, int width, int height) {
  Picture out;
  out.width = width;
  out.height = height;
  out.channels = like.channels;
  out.is_jpeg = like.is_jpeg;
  out.sampling = like.sampling;
  out.sample_bytes = like.sample_bytes;
  out.colour_notes = like.colour_notes;
  out.pixels.resize(static_cast<size_t>(width) * height * like.channels * like.sample_bytes);
  return out;
}

/** Fills a picture pixel by pixel. from: which pixel of the old one stands at (x, y). */
template <typename From>
void rearrange(Picture& picture, int width, int height, From from) {
  Picture out = blank(picture, width, height);
  const int n = picture.channels * picture.sample_bytes;
  uint8_t* to = out.pixels.data();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++, to += n) {
      const Size at = from(x, y);
      std::memcpy(to, &picture.pixels[(static_cast<size_t>(at.height) * picture.width + at.width) * n],
                  static_cast<size_t>(n));
    }
  picture = std::move(out);
}

void rotate(Picture& p, int degrees) {
  const int w = p.width, h = p.height;
  if (degrees == 90) rearrange(p, h, w, [&](int x, int y) { return Size{y, h - 1 - x}; });
  if (degrees == 180) rearrange(p, w, h, [&](int x, int y) { return Size{w - 1 - x, h - 1 - y}; });
  if (degrees == 270) rearrange(p, h, w, [&](int x, int y) { return Size{w - 1 - y, x}; });
}

/** What a target pixel is made of along one side: pixels from `first` on, with weights that make one. */
struct Share {
  int first;
  std::vector<float> weights;
};

/**
 * A triangle as wide as a pixel of the coarser of the two pictures: an average when it shrinks, a line between
 * neighbours when it grows.
 */
std::vector<Share> shares(int from, int to) {
  const double scale = static_cast<double>(from) / to, reach = std::max(1.0, scale);
  std::vector<Share> out(static_cast<size_t>(to));
  for (int n = 0; n < to; n++) {
    const double centre = (n + 0.5) * scale - 0.5;
    const int first = std::clamp(static_cast<int>(std::ceil(centre - reach)), 0, from - 1),
              last = std::clamp(static_cast<int>(std::floor(centre + reach)), first, from - 1);
    Share& share = out[static_cast<size_t>(n)];
    share.first = first;
    double sum = 0;
    for (int k = first; k <= last; k++) sum += std::max(1e-6, 1 - std::abs(k - centre) / reach);
    for (int k = first; k <= last; k++)
      share.weights.push_back(static_cast<float>(std::max(1e-6, 1 - std::abs(k - centre) / reach) / sum));
  }
  return out;
}

/** Sample: uint8_t or uint16_t. */
template <typename Sample>
const Sample* samples_of(const Picture& p) {
  return reinterpret_cast<const Sample*>(p.pixels.data());
}

template <typename Sample>
Sample* samples_of(Picture& p) {
  return reinterpret_cast<Sample*>(p.pixels.data());
}

template <typename Sample>
void resize_samples(Picture& p, int width, int height) {
  constexpr float WHITE = std::numeric_limits<Sample>::max();
  const std::vector<Share> across = shares(p.width, width), down = shares(p.height, height);
  Picture out = blank(p, width, height);
  const size_t n = static_cast<size_t>(p.channels), row = static_cast<size_t>(p.width) * n;
  std::vector<float> sums(row);
  Sample* to = samples_of<Sample>(out);
  for (int y = 0; y < height; y++) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    const Share& rows = down[static_cast<size_t>(y)];
    for (size_t k = 0; k < rows.weights.size(); k++) {
      const Sample* from = samples_of<Sample>(std::as_const(p)) + (static_cast<size_t>(rows.first) + k) * row;
      for (size_t i = 0; i < row; i++) sums[i] += rows.weights[k] * static_cast<float>(from[i]);
    }
    for (int x = 0; x < width; x++) {
      const Share& columns = across[static_cast<size_t>(x)];
      for (size_t c = 0; c < n; c++) {
        const float* from = &sums[static_cast<size_t>(columns.first) * n + c];
        float sum = 0.5F;
        for (size_t k = 0; k < columns.weights.size(); k++) sum += columns.weights[k] * from[k * n];
        *to++ = static_cast<Sample>(std::min(WHITE, sum));
      }
    }
  }
  p = std::move(out);
}

void resize(Picture& p, int width, int height) {
  p.sample_bytes == 1 ? resize_samples<uint8_t>(p, width, height) : resize_samples<uint16_t>(p, width, height);
}

template <typename Sample>
void brighten_samples(Picture& p, int percent) {
  constexpr long WHITE = std::numeric_limits<Sample>::max();
  const size_t n = static_cast<size_t>(p.channels), colours = n == 2 ? 1 : n == 4 ? 3 : n;
  std::vector<Sample> table(WHITE + 1);
  for (long v = 0; v <= WHITE; v++) {
    const long brighter = std::lround(static_cast<double>(v) + WHITE * percent / 100.0);
    table[static_cast<size_t>(v)] = static_cast<Sample>(std::clamp(brighter, 0L, WHITE));
  }
  Sample* samples = samples_of<Sample>(p);
  const size_t count = static_cast<size_t>(p.width) * p.height * n;
  for (size_t at = 0; at < count; at += n)
    for (size_t c = 0; c < colours; c++) samples[at + c] = table[samples[at + c]];
}

/** Transparency is no light. */
void brighten(Picture& p, int percent) {
  p.sample_bytes == 1 ? brighten_samples<uint8_t>(p, percent) : brighten_samples<uint16_t>(p, percent);
}

void crop(Picture& p, const Edit& e) {
  if (e.a < 0 || e.b < 0 || e.c < 1 || e.d < 1 || e.a + e.c > p.width || e.b + e.d > p.height)
    throw std::invalid_argument("the part to be kept does not lie within the picture");
  rearrange(p, e.c, e.d, [&](int x, int y) { return Size{e.a + x, e.b + y}; });
}

Edit parse(const std::string& text) {
  Edit e{EditKind::rotate};
  if (std::sscanf(text.c_str(), "rotate:%d", &e.a) == 1 && (e.a == 90 || e.a == 180 || e.a == 270)) return e;
  if (text == "flip:horizontal") return {EditKind::flip, 0};
  if (text == "flip:vertical") return {EditKind::flip, 1};
  e.kind = EditKind::crop;
  if (std::sscanf(text.c_str(), "crop:%d,%d,%d,%d", &e.a, &e.b, &e.c, &e.d) == 4) return e;
  e.kind = EditKind::resize;
  if (std::sscanf(text.c_str(), "resize:%d,%d", &e.a, &e.b) == 2 && e.a > 0 && e.b > 0) return e;
  e.kind = EditKind::brightness;
  if (std::sscanf(text.c_str(), "brightness:%d", &e.a) == 1) return e;
  throw std::invalid_argument("there is no edit " + text);
}

}  // namespace

std::vector<Edit> parse_edits(char** begin, char** end) {
  std::vector<Edit> edits;
  for (char** each = begin; each != end; each++) edits.push_back(parse(*each));
  return edits;
}

void apply(const Edit& edit, Picture& picture) {
  const int w = picture.width, h = picture.height;
  switch (edit.kind) {
    case EditKind::rotate:
      return rotate(picture, edit.a);
    case EditKind::flip:
      return rearrange(picture, w, h, [&](int x, int y) {
        return edit.a == 0 ? Size{w - 1 - x, y} : Size{x, h - 1 - y};
      });
    case EditKind::crop:
      return crop(picture, edit);
    case EditKind::resize:
      return resize(picture, edit.a, edit.b);
    case EditKind::brightness:
      return brighten(picture, edit.a);
  }
}

}  // namespace vedette::media
