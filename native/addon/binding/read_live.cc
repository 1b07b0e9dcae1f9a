#include "read_live.h"

#include "read_value.h"

namespace vedette {

namespace {

constexpr uint32_t MAX_IDS = 1024;
constexpr double MAX_SKIP = 1e6, MAX_DECIMATE = 8, MAX_DEG = 1e9, MAX_US = 9e15;

Window read_window(const Napi::Value& value) {
  if (is_absent(value)) return {};
  const Napi::Object window = as_object(value, "window");
  return {number_in(window, "x0", 0, 1), number_in(window, "y0", 0, 1), number_in(window, "x1", 0, 1),
          number_in(window, "y1", 0, 1)};
}

}  // namespace

LiveControls read_live(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "what a robot sets");
  const Napi::Value ids = object.Get("localization_ids"), decimate = object.Get("decimate");
  LiveControls live;
  live.picks_ids = !is_absent(ids);
  if (live.picks_ids) live.localization_ids = list_of<int>(ids, "localization_ids", MAX_IDS, as_int);
  std::sort(live.localization_ids.begin(), live.localization_ids.end());
  live.skip = static_cast<int>(whole_within(object.Get("skip"), "skip", 0, MAX_SKIP));
  live.decimate = is_absent(decimate) ? 0 : number_in(object, "decimate", 1, MAX_DECIMATE);
  live.window = read_window(object.Get("window"));
  return live;
}

Heading read_heading(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "a heading");
  const auto at_us = static_cast<int64_t>(number_in(object, "at_us", 0, MAX_US));
  return {at_us, number_in(object, "yaw_deg", -MAX_DEG, MAX_DEG), number_in(object, "yaw_rate_dps", -MAX_DEG, MAX_DEG)};
}

}  // namespace vedette
