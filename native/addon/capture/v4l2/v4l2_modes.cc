#include "v4l2_modes.h"

#include <linux/videodev2.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace vedette {
namespace {

constexpr PixelFormat FORMATS[] = {
    // a few drivers call it that; the first is what is asked for
    {"mjpeg", V4L2_PIX_FMT_MJPEG, 0}, {"mjpeg", V4L2_PIX_FMT_JPEG, 0}, {"yuyv", V4L2_PIX_FMT_YUYV, 16},
    {"uyvy", V4L2_PIX_FMT_UYVY, 16},  {"nv12", V4L2_PIX_FMT_NV12, 12}, {"grey", V4L2_PIX_FMT_GREY, 8},
    {"y10", V4L2_PIX_FMT_Y10, 16},
};

// No camera has as many; a driver that answers for ever must not keep us.
constexpr uint32_t MAX_ENTRIES = 256;
constexpr size_t MAX_MODES = 512;

// What people use, of a camera that can do any size or rate in a range.
constexpr int DEFAULT_SIZES[][2] = {{320, 240},  {640, 400},  {640, 480},   {800, 600},   {960, 720},   {1280, 720},
                                    {1280, 800}, {1280, 960}, {1600, 1200}, {1920, 1080}, {2592, 1944}, {3840, 2160}};
constexpr double DEFAULT_FPS[] = {240, 120, 90, 60, 50, 30, 25, 20, 15, 10, 5};

constexpr size_t MAX_IN_A_SENTENCE = 12;

/** To a thousandth: 1001/30000 s is 29.97. */
double fps_of(const v4l2_fract& interval) {
  if (interval.numerator == 0 || interval.denominator == 0) return 0;
  return std::round(1000.0 * interval.denominator / interval.numerator) / 1000;
}

void add_rate(std::vector<double>& rates, double fps) {
  if (fps > 0 && std::find(rates.begin(), rates.end(), fps) == rates.end()) rates.push_back(fps);
}

std::vector<double> list_rates(const V4l2Device& device, uint32_t fourcc, uint32_t width, uint32_t height) {
  std::vector<double> rates;
  for (uint32_t index = 0; index < MAX_ENTRIES; index++) {
    v4l2_frmivalenum entry{};
    entry.index = index;
    entry.pixel_format = fourcc;
    entry.width = width;
    entry.height = height;
    if (device.ask(VIDIOC_ENUM_FRAMEINTERVALS, &entry) != 0) break;
    if (entry.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
      add_rate(rates, fps_of(entry.discrete));
      continue;
    }
    // an interval is the longer the slower
    const double slowest = fps_of(entry.stepwise.max), fastest = fps_of(entry.stepwise.min);
    add_rate(rates, fastest);
    for (const double fps : DEFAULT_FPS)
      if (fps > slowest && fps < fastest) add_rate(rates, fps);
    add_rate(rates, slowest);
    break;
  }
  std::sort(rates.rbegin(), rates.rend());
  return rates;
}

bool fits(uint32_t side, uint32_t least, uint32_t most, uint32_t step) {
  return side >= least && side <= most && (step <= 1 || (side - least) % step == 0);
}

/** Width and height of all sizes in a format. */
std::vector<std::pair<uint32_t, uint32_t>> list_sizes(const V4l2Device& device, uint32_t fourcc) {
  std::vector<std::pair<uint32_t, uint32_t>> sizes;
  const auto add = [&sizes](uint32_t width, uint32_t height) {
    const std::pair<uint32_t, uint32_t> size{width, height};
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  };
  for (uint32_t index = 0; index < MAX_ENTRIES; index++) {
    v4l2_frmsizeenum entry{};
    entry.index = index;
    entry.pixel_format = fourcc;
    if (device.ask(VIDIOC_ENUM_FRAMESIZES, &entry) != 0) break;
    if (entry.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
      add(entry.discrete.width, entry.discrete.height);
      continue;
    }
    const v4l2_frmsize_stepwise& range = entry.stepwise;
    for (const auto& [width, height] : DEFAULT_SIZES)
      if (fits(width, range.min_width, range.max_width, range.step_width) &&
          fits(height, range.min_height, range.max_height, range.step_height))
        add(width, height);
    add(range.max_width, range.max_height);
    break;
  }
  return sizes;
}

}  // namespace

const PixelFormat* pixel_format_named(const std::string& name) {
  const auto* found = std::find_if(std::begin(FORMATS), std::end(FORMATS),
                                   [&](const PixelFormat& format) { return name == format.name; });
  return found == std::end(FORMATS) ? nullptr : found;
}

const PixelFormat* pixel_format_of(uint32_t fourcc) {
  const auto* found = std::find_if(std::begin(FORMATS), std::end(FORMATS),
                                   [&](const PixelFormat& format) { return fourcc == format.fourcc; });
  return found == std::end(FORMATS) ? nullptr : found;
}

std::string fourcc_text(uint32_t fourcc) {
  std::string text;
  for (int shift = 0; shift < 32; shift += 8) {
    const char letter = static_cast<char>((fourcc >> shift) & 0x7f);  // the highest bit says big-endian
    if (letter > ' ') text += letter;
  }
  return text;
}

CameraModes list_modes(const V4l2Device& device) {
  CameraModes found;
  for (uint32_t index = 0; index < MAX_ENTRIES; index++) {
    v4l2_fmtdesc description{};
    description.index = index;
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (device.ask(VIDIOC_ENUM_FMT, &description) != 0) break;
    const PixelFormat* format = pixel_format_of(description.pixelformat);
    // emulated: made by a library out of another, which we read ourselves
    if (!format || (description.flags & V4L2_FMT_FLAG_EMULATED)) {
      if (!format) found.other_formats.push_back(fourcc_text(description.pixelformat));
      continue;
    }
    for (const auto& [width, height] : list_sizes(device, description.pixelformat)) {
      if (found.modes.size() == MAX_MODES) return found;
      found.modes.push_back({format->name, static_cast<int>(width), static_cast<int>(height),
                             list_rates(device, description.pixelformat, width, height)});
    }
  }
  return found;
}

std::string modes_text(const CameraModes& modes) {
  std::string text;
  for (size_t index = 0; index < modes.modes.size() && index < MAX_IN_A_SENTENCE; index++) {
    const CameraMode& mode = modes.modes[index];
    text += (index > 0 ? ", " : "") + mode.pixel_format + " " + std::to_string(mode.width) + "x" +
            std::to_string(mode.height);
    std::string rates;
    for (const double fps : mode.fps) rates += (rates.empty() ? "" : ", ") + fps_text(fps);
    if (!rates.empty()) text += " (" + rates + ")";
  }
  if (modes.modes.size() > MAX_IN_A_SENTENCE)
    text += " and " + std::to_string(modes.modes.size() - MAX_IN_A_SENTENCE) + " more";
  return text.empty() ? "none that can be read" : text;
}

std::string fps_text(double fps) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::round(1000 * fps) / 1000);
  return text;
}

}  // namespace vedette
