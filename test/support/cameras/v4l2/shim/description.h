// What an emulated camera is: read from lines of text that cameras.ts writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shim {

struct Size {
  uint32_t width, height;
  std::vector<uint32_t> fps_milli;
};

struct Format {
  uint32_t fourcc;
  std::vector<Size> sizes;
  // Instead of a list: widths and heights in steps, any rate in between.
  bool is_stepwise = false;
  uint32_t min_width, max_width, step_width, min_height, max_height, step_height, min_fps_milli, max_fps_milli;
};

struct ControlEntry {
  uint32_t id, type, flags;
  int64_t min, max, step, initial;
  std::string title;
  std::vector<std::pair<uint32_t, std::string>> menu;
};

/** caps: device_caps. sensor_width: 0 when it has no selection. */
struct Description {
  std::string driver, card, bus_info;
  uint32_t caps = 0;
  uint32_t sensor_width = 0, sensor_height = 0;
  std::vector<Format> formats;
  std::vector<ControlEntry> controls;
};

/** Lines that are not understood are a mistake of the test: the process ends. */
Description read_description(const std::string& path);

}  // namespace shim
