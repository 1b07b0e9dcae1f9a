// Black and white pictures pixel by pixel, and what hangs together in them as a flood tells it.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "pictures.h"
#include "runs.h"

namespace vedette::test {

/** Of each pixel, row by row: 0: neither, 1: black, 2: white. */
struct Plane {
  int width, height;
  std::vector<uint8_t> colours;

  uint8_t at(int x, int y) const { return colours[static_cast<size_t>(y) * width + x]; }
  bool has(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  std::vector<uint64_t> bits_of_row(int y, int colour) const {
    std::vector<uint64_t> bits((width + 63) / 64);
    for (int x = 0; x < width; x++) bits[x / 64] |= static_cast<uint64_t>(at(x, y) == colour) << (x % 64);
    return bits;
  }
};

constexpr int BLACK = 1, WHITE = 2, NO_COMPONENT = -1;

inline Plane plane_of(int width, int height, const std::function<int(int x, int y)>& colour) {
  Plane out{width, height, {}};
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) out.colours.push_back(static_cast<uint8_t>(colour(x, y)));
  return out;
}

/** share: of white, of 100; neither: the same. blob_px: pixels of one colour side by side. */
inline Plane random_plane(int width, int height, int share, int neither, int blob_px, Dice& dice) {
  const uint64_t seed = dice.word();
  return plane_of(width, height, [&](int x, int y) {
    Dice blob(seed + static_cast<uint64_t>(x / blob_px) * 4099 + static_cast<uint64_t>(y / blob_px));
    blob.word();
    const int drawn = blob.below(100);
    return drawn < neither ? 0 : drawn < neither + share ? WHITE : BLACK;
  });
}

/**
 * The component of each pixel, numbered in the order of their first pixels; NO_COMPONENT where there is none of that
 * colour or it has too few pixels.
 */
inline std::vector<int> flood(const Plane& plane, int colour, bool goes_through_corners, uint32_t min_pixels) {
  std::vector<int> out(plane.colours.size(), NO_COMPONENT);
  std::vector<bool> seen(out.size());
  int count = 0;
  for (int y = 0; y < plane.height; y++)
    for (int x = 0; x < plane.width; x++) {
      if (plane.at(x, y) != colour || seen[static_cast<size_t>(y) * plane.width + x]) continue;
      std::vector<std::pair<int, int>> pixels{{x, y}};
      seen[static_cast<size_t>(y) * plane.width + x] = true;
      for (size_t i = 0; i < pixels.size(); i++)
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++) {
            const int u = pixels[i].first + dx, v = pixels[i].second + dy;
            if ((dx != 0 && dy != 0 && !goes_through_corners) || !plane.has(u, v) || plane.at(u, v) != colour ||
                seen[static_cast<size_t>(v) * plane.width + u])
              continue;
            seen[static_cast<size_t>(v) * plane.width + u] = true;
            pixels.push_back({u, v});
          }
      if (pixels.size() < min_pixels) continue;
      for (const auto& [u, v] : pixels) out[static_cast<size_t>(v) * plane.width + u] = count;
      count++;
    }
  return out;
}

/** Boxes of the components that a flood has numbered. */
inline std::vector<ComponentBox> boxes_of(const Plane& plane, const std::vector<int>& components) {
  std::vector<ComponentBox> out(1 + *std::max_element(components.begin(), components.end()),
                                {UINT16_MAX, UINT16_MAX, 0, 0});
  for (int y = 0; y < plane.height; y++)
    for (int x = 0; x < plane.width; x++) {
      const int component = components[static_cast<size_t>(y) * plane.width + x];
      if (component == NO_COMPONENT) continue;
      ComponentBox& box = out[component];
      box.left = std::min<uint16_t>(box.left, x), box.right = std::max<uint16_t>(box.right, x + 1);
      box.top = std::min<uint16_t>(box.top, y), box.bottom = std::max<uint16_t>(box.bottom, y + 1);
    }
  return out;
}

inline void add_rows(Runs& runs, const Plane& plane, int colour, uint32_t min_pixels) {
  runs.clear();
  for (int y = 0; y < plane.height; y++) {
    const std::vector<uint64_t> bits = plane.bits_of_row(y, colour);
    runs.add_row(bits.data(), static_cast<int>(bits.size()));
  }
  runs.number_components(min_pixels);
}

/** As flood has them, from runs. */
inline std::vector<int> components_of(const Runs& runs, const Plane& plane) {
  std::vector<int> out(plane.colours.size(), NO_COMPONENT);
  for (int y = 0; y < plane.height; y++)
    for (const Run* run = runs.first(y); run < runs.first(y + 1); run++)
      for (int x = run->begin; x < run->end; x++)
        out.at(static_cast<size_t>(y) * plane.width + x) = static_cast<int>(run->component);
  return out;
}

}  // namespace vedette::test
