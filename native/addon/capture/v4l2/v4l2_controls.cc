#include "v4l2_controls.h"

#include <linux/videodev2.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace vedette {
namespace {

constexpr int MAX_CONTROLS = 256;  // a driver that answers for ever must not keep us
constexpr int TRIES = 2;           // of a transfer on the bus that failed at once
constexpr timespec BETWEEN_TRIES{0, 20'000'000};

/** What the bus says of a transfer that failed, and that may work the next time. */
bool is_passing(int error) { return error == EPROTO || error == EIO || error == EAGAIN; }

bool is_gone(int error) { return error == ENODEV || error == ENXIO || error == ESHUTDOWN; }

template <typename Transfer>
int with_another_try(Transfer transfer) {
  for (int tries = 1;; tries++) {
    const int error = transfer();
    if (!is_passing(error) || tries == TRIES) return error;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &BETWEEN_TRIES, nullptr);
  }
}

bool query(const V4l2Device& device, uint32_t id, v4l2_query_ext_ctrl& answer) {
  answer = {};
  answer.id = id;
  return device.ask_camera(VIDIOC_QUERY_EXT_CTRL, &answer) == 0;
}

std::vector<MenuEntry> read_menu(const V4l2Device& device, const v4l2_query_ext_ctrl& control) {
  std::vector<MenuEntry> entries;
  const int64_t last = std::min<int64_t>(control.maximum, control.minimum + MAX_CONTROLS);
  for (int64_t value = control.minimum; value <= last; value++) {
    v4l2_querymenu entry{};
    entry.id = control.id;
    entry.index = static_cast<uint32_t>(value);
    if (device.ask_camera(VIDIOC_QUERYMENU, &entry) != 0) continue;  // cameras leave some out
    const bool is_text = control.type == V4L2_CTRL_TYPE_MENU;
    entries.push_back({value, is_text ? text_of(entry.name) : std::to_string(entry.value)});
  }
  return entries;
}

bool is_wide(const v4l2_query_ext_ctrl& control) { return control.type == V4L2_CTRL_TYPE_INTEGER64; }

bool has_value(const v4l2_query_ext_ctrl& control) {
  return !(control.flags & V4L2_CTRL_FLAG_WRITE_ONLY) && control.type != V4L2_CTRL_TYPE_BUTTON;
}

/** The camera's number for ours. */
int64_t to_camera(uint32_t id, int64_t value) {
  return is_exposure_time(id) ? std::llround(static_cast<double>(value) / EXPOSURE_UNIT_US) : value;
}

int64_t from_camera(uint32_t id, int64_t value) { return is_exposure_time(id) ? value * EXPOSURE_UNIT_US : value; }

Control describe(const V4l2Device& device, const v4l2_query_ext_ctrl& query, const ExposureQuirk* quirk) {
  Control control;
  control.id = query.id;
  control.name = control_name(query.id, text_of(query.name));
  control.type = control_type(query);
  control.min = query.minimum;
  control.max = query.maximum;
  control.step = static_cast<int64_t>(query.step);
  control.default_value = query.default_value;
  control.flags = control_flags(query.flags);
  if (query.type == V4L2_CTRL_TYPE_MENU || query.type == V4L2_CTRL_TYPE_INTEGER_MENU)
    control.menu = read_menu(device, query);
  if (!is_exposure_time(query.id)) return control;
  if (quirk) {
    control.min = quirk->min;
    control.max = quirk->max;
    control.default_value = nearest_allowed(*quirk, control.default_value);
  }
  control.unit = "us";
  for (int64_t* number : {&control.min, &control.max, &control.step, &control.default_value})
    *number *= EXPOSURE_UNIT_US;
  return control;
}

std::string shown(const Control& control, int64_t value) {
  return std::to_string(value) + (control.unit.empty() ? "" : " " + control.unit);
}

}  // namespace

V4l2Controls::V4l2Controls(std::shared_ptr<const V4l2Device> device, const std::string& name)
    : device_(std::move(device)), quirk_(exposure_quirk_of(usb_model_of(device_->path()), name)) {
  note_exposure();
}

std::vector<Control> V4l2Controls::list() {
  const std::lock_guard<std::mutex> lock(mutex_);
  device_->facts();  // a camera that is gone would seem to have none
  std::vector<Control> controls;
  v4l2_query_ext_ctrl next{};
  for (int count = 0; count < MAX_CONTROLS && query(*device_, next.id | V4L2_CTRL_FLAG_NEXT_CTRL, next); count++) {
    if (control_type(next).empty() || (next.flags & V4L2_CTRL_FLAG_DISABLED)) continue;
    Control control = describe(*device_, next, quirk_);
    control.value = has_value(next) ? present_value(next) : control.default_value;
    controls.push_back(std::move(control));
  }
  return controls;
}

ControlOutcome V4l2Controls::set(uint32_t id, int64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const ControlOutcome outcome = set_locked(id, value);
  note_exposure();
  return outcome;
}

std::vector<ControlOutcome> V4l2Controls::apply(std::vector<ControlRequest> requests) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::stable_sort(requests.begin(), requests.end(), [](const ControlRequest& one, const ControlRequest& other) {
    return rank_of(one.id) < rank_of(other.id);
  });
  std::vector<ControlOutcome> outcomes;
  for (const ControlRequest& request : requests) {
    if (is_inactive(request.id)) continue;  // an automatic mode that is wanted as well decides it
    try {
      outcomes.push_back(set_locked(request.id, request.value));
    } catch (const Fault& fault) {
      if (fault.code != "control.unknown") throw;
      outcomes.push_back({request.id, request.value, 0, "control.refused", fault.detail});
    }
  }
  note_exposure();
  return outcomes;
}

ControlOutcome V4l2Controls::set_locked(uint32_t id, int64_t value) {
  v4l2_query_ext_ctrl about{};
  if (!query(*device_, id, about) || control_type(about).empty()) {
    device_->facts();  // says so when the camera is gone
    throw Fault{"control.unknown", "the camera has no control " + std::to_string(id)};
  }
  const Control control = describe(*device_, about, quirk_);
  if (about.flags & V4L2_CTRL_FLAG_INACTIVE) {
    const std::string detail =
        control.name + " is decided by the camera itself at present; turn its automatic mode off first";
    return {id, value, has_value(about) ? present_value(about) : 0, "control.refused", detail};
  }
  int64_t wanted = to_camera(id, value);
  if (is_exposure_time(id) && quirk_) {
    wanted = nearest_allowed(*quirk_, wanted);
    if (quirk_->toggles_auto) wake_exposure();
  }
  ControlOutcome outcome{id, value, value, "", ""};
  const int error = write_value(id, is_wide(about), wanted);
  if (is_gone(error)) throw camera_fault(device_->path(), "setting a control", error);
  int64_t read = wanted;
  if (has_value(about)) read_value(id, is_wide(about), read);
  outcome.applied = from_camera(id, read);
  if (error != 0) {
    outcome.code = "control.refused";
    outcome.detail = "the camera refused " + control.name + " " + shown(control, value) + " (" + std::strerror(error) +
                     "); it stays at " + shown(control, outcome.applied);
  } else if (read != to_camera(id, value)) {
    outcome.code = "control.adjusted";
    outcome.detail = "the camera took " + control.name + " " + shown(control, outcome.applied) + " instead of " +
                     shown(control, value);
  }
  return outcome;
}

bool V4l2Controls::is_inactive(uint32_t id) const {
  v4l2_query_ext_ctrl about{};
  return query(*device_, id, about) && (about.flags & V4L2_CTRL_FLAG_INACTIVE);
}

/** In our unit; the default of one that cannot be read. */
int64_t V4l2Controls::present_value(const v4l2_query_ext_ctrl& about) const {
  int64_t value = about.default_value;
  read_value(about.id, is_wide(about), value);
  return from_camera(about.id, value);
}

bool V4l2Controls::read_value(uint32_t id, bool is_wide, int64_t& value) const {
  v4l2_ext_control control{};
  control.id = id;
  v4l2_ext_controls all{};
  all.which = V4L2_CTRL_WHICH_CUR_VAL;
  all.count = 1;
  all.controls = &control;
  if (with_another_try([&] { return device_->ask_camera(VIDIOC_G_EXT_CTRLS, &all); }) != 0) return false;
  value = is_wide ? control.value64 : control.value;
  return true;
}

int V4l2Controls::write_value(uint32_t id, bool is_wide, int64_t value) const {
  v4l2_ext_control control{};
  control.id = id;
  if (is_wide) control.value64 = value;
  else control.value = static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
  v4l2_ext_controls all{};
  all.which = V4L2_CTRL_WHICH_CUR_VAL;
  all.count = 1;
  all.controls = &control;
  return with_another_try([&] { return device_->ask_camera(VIDIOC_S_EXT_CTRLS, &all); });
}

/**
 * Some boards take no exposure time until their automatic exposure has been turned on and off again. Only where it is
 * off now.
 */
void V4l2Controls::wake_exposure() {
  int64_t mode = 0;
  if (!read_value(V4L2_CID_EXPOSURE_AUTO, false, mode) || mode != V4L2_EXPOSURE_MANUAL) return;
  write_value(V4L2_CID_EXPOSURE_AUTO, false, V4L2_EXPOSURE_APERTURE_PRIORITY);
  write_value(V4L2_CID_EXPOSURE_AUTO, false, V4L2_EXPOSURE_MANUAL);
}

/** Where the camera chooses the time itself, what the control says is no help: most show the last one that was set. */
void V4l2Controls::note_exposure() {
  int64_t mode = V4L2_EXPOSURE_MANUAL, time = 0;
  read_value(V4L2_CID_EXPOSURE_AUTO, false, mode);
  const bool is_known = (mode == V4L2_EXPOSURE_MANUAL || mode == V4L2_EXPOSURE_SHUTTER_PRIORITY) &&
                        read_value(V4L2_CID_EXPOSURE_ABSOLUTE, false, time);
  exposure_us_ = is_known ? from_camera(V4L2_CID_EXPOSURE_ABSOLUTE, time) : 0;
}

}  // namespace vedette
