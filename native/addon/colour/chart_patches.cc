#include "chart_patches.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vedette {

namespace {

/** In sRGB, row by row from dark skin (machines/ipa/chart.ts). */
constexpr uint8_t WANTED[CHART_PATCHES][3] = {
    {116, 79, 65},   {197, 144, 127}, {91, 120, 155},  {91, 108, 64},   {131, 127, 175}, {95, 189, 172},
    {224, 124, 48},  {69, 90, 167},   {197, 80, 95},   {93, 58, 104},   {156, 187, 58},  {227, 161, 39},
    {40, 62, 145},   {61, 147, 70},   {178, 54, 57},   {236, 199, 15},  {191, 79, 146},  {0, 133, 165},
    {241, 242, 235}, {201, 202, 201}, {161, 163, 163}, {121, 121, 121}, {83, 84, 85},    {50, 50, 50}};

constexpr int FIRST_GREY = 18, FIRST_MIDDLE_GREY = 19, AFTER_MIDDLE_GREYS = 23;
constexpr double INNER_SHARE = 0.4;
constexpr double PATCH_SHARE = 1 / 1.15;  // of a cell
constexpr int MAX_SAMPLES_ACROSS = 48;
constexpr double MIN_PIXELS_ACROSS = 3;
constexpr double CLIPPED = 0.995;

double decoded(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }

struct Lab {
  double l, a, b;
};

double cube_root_or_line(double share) { return share > 216.0 / 24389 ? std::cbrt(share) : share * 7.787 + 16.0 / 116; }

Lab lab_of(const double (&rgb)[3]) {
  const double x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2];
  const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
  const double z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2];
  const double fx = cube_root_or_line(x / 0.95047), fy = cube_root_or_line(y), fz = cube_root_or_line(z / 1.08883);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

template <typename Item>
Item median_of(std::vector<Item>& all) {
  std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
  return all[all.size() / 2];
}

/** Without what is further than three deviations, told from the median of distances, from the median. */
double robust_mean(const std::vector<float>& all) {
  std::vector<float> sorted = all;
  const float middle = median_of(sorted);
  for (float& each : sorted) each = std::abs(each - middle);
  const double limit = 3 * 1.4826 * median_of(sorted) + 1e-6;
  double sum = 0;
  int count = 0;
  for (const float each : all)
    if (std::abs(each - middle) <= limit) sum += each, count++;
  return count > 0 ? sum / count : middle;
}

/** Pixels from one side of a patch's inner part to the other. */
double inner_pixels(const LatticeMap& map, double x, double y) {
  const double half = INNER_SHARE * PATCH_SHARE / 2;
  const cv::Point2d across = apply(map, x + half, y) - apply(map, x - half, y);
  const cv::Point2d down = apply(map, x, y + half) - apply(map, x, y - half);
  return std::min(std::hypot(across.x, across.y), std::hypot(down.x, down.y));
}

double distance_with(const std::array<cv::Vec3b, CHART_PATCHES>& patches, bool is_encoded) {
  double light[CHART_PATCHES][3], gains[3] = {0, 0, 0}, goal = 0;
  for (int at = 0; at < CHART_PATCHES; at++)
    for (int channel = 0; channel < 3; channel++) {
      const double value = patches[at][channel] / 255.0;
      light[at][channel] = is_encoded ? decoded(value) : value;
    }
  for (int at = FIRST_MIDDLE_GREY; at < AFTER_MIDDLE_GREYS; at++) {
    goal += decoded(WANTED[at][1] / 255.0);
    for (int channel = 0; channel < 3; channel++) gains[channel] += light[at][channel];
  }
  double sum = 0;
  for (int at = 0; at < CHART_PATCHES; at++) {
    double seen[3], wanted[3];
    for (int channel = 0; channel < 3; channel++) {
      seen[channel] = std::min(1.2, light[at][channel] * goal / std::max(gains[channel], 1e-4));
      wanted[channel] = decoded(WANTED[at][channel] / 255.0);
    }
    const Lab one = lab_of(seen), other = lab_of(wanted);
    sum += std::sqrt((one.l - other.l) * (one.l - other.l) + (one.a - other.a) * (one.a - other.a) +
                     (one.b - other.b) * (one.b - other.b));
  }
  return sum / CHART_PATCHES;
}

}  // namespace

cv::Point2d apply(const LatticeMap& map, double x, double y) {
  const cv::Vec3d to = map * cv::Vec3d(x, y, 1);
  return {to[0] / to[2], to[1] / to[2]};
}

std::vector<PatchMean> patch_means(const media::Picture& picture, const LatticeMap& map) {
  const int channels = picture.channels, bytes = picture.sample_bytes;
  const bool has_colours = channels >= 3;
  const double full = bytes == 2 ? 65535 : 255;
  const auto sample = [&](int x, int y, int channel) {
    const size_t at = (static_cast<size_t>(y) * picture.width + x) * channels + (has_colours ? channel : 0);
    if (bytes == 1) return picture.pixels[at] / full;
    uint16_t value;
    std::copy_n(picture.pixels.data() + 2 * at, 2, reinterpret_cast<uint8_t*>(&value));
    return value / full;
  };
  std::vector<PatchMean> all;
  for (int patch = 0; patch < CHART_PATCHES; patch++) {
    const double x = patch % CHART_COLUMNS + 0.5, y = patch / CHART_COLUMNS + 0.5;
    const double across = inner_pixels(map, x, y);
    if (!(across >= MIN_PIXELS_ACROSS)) return {};
    const int steps = std::clamp(static_cast<int>(across), 3, MAX_SAMPLES_ACROSS);
    std::vector<float> values[3];
    PatchMean mean;
    for (int i = 0; i < steps; i++)
      for (int j = 0; j < steps; j++) {
        const double half = INNER_SHARE * PATCH_SHARE / 2;
        const cv::Point2d place =
            apply(map, x + half * (2 * (i + 0.5) / steps - 1), y + half * (2 * (j + 0.5) / steps - 1));
        if (!(place.x >= 0 && place.y >= 0 && place.x < picture.width && place.y < picture.height)) return {};
        bool is_clipped = false;
        for (int channel = 0; channel < 3; channel++) {
          const double value = sample(static_cast<int>(place.x), static_cast<int>(place.y), channel);
          values[channel].push_back(static_cast<float>(value));
          is_clipped = is_clipped || value >= CLIPPED;
        }
        mean.clipped += is_clipped;
        mean.pixels++;
      }
    mean.clipped /= mean.pixels;
    for (int channel = 0; channel < 3; channel++) mean.rgb[channel] = robust_mean(values[channel]);
    all.push_back(mean);
  }
  return all;
}

bool patch_glances(const cv::Mat& picture, const LatticeMap& map, std::array<cv::Vec3b, CHART_PATCHES>& to) {
  constexpr int STEPS = 3;
  for (int patch = 0; patch < CHART_PATCHES; patch++) {
    const double x = patch % CHART_COLUMNS + 0.5, y = patch / CHART_COLUMNS + 0.5;
    std::vector<uint8_t> values[3];
    for (int i = 0; i < STEPS; i++)
      for (int j = 0; j < STEPS; j++) {
        const cv::Point2d place = apply(map, x + 0.12 * (i - 1), y + 0.12 * (j - 1));
        if (!(place.x >= 0 && place.y >= 0 && place.x < picture.cols && place.y < picture.rows)) return false;
        const auto pixel = picture.at<cv::Vec3b>(static_cast<int>(place.y), static_cast<int>(place.x));
        for (int channel = 0; channel < 3; channel++) values[channel].push_back(pixel[channel]);
      }
    for (int channel = 0; channel < 3; channel++) to[patch][channel] = median_of(values[channel]);
  }
  return true;
}

double chart_distance(const std::array<cv::Vec3b, CHART_PATCHES>& patches) {
  for (int at = FIRST_GREY; at + 1 < CHART_PATCHES; at++)
    if (patches[at][1] < patches[at + 1][1]) return std::numeric_limits<double>::infinity();
  if (patches[FIRST_MIDDLE_GREY][1] < patches[AFTER_MIDDLE_GREYS - 1][1] + 8)
    return std::numeric_limits<double>::infinity();
  return std::min(distance_with(patches, true), distance_with(patches, false));
}

}  // namespace vedette
