// The controls of an emulated camera: whole numbers between their limits, with the habits of real drivers.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "camera.h"

namespace shim {

const ControlEntry* Camera::entry_of(uint32_t id, size_t& index) const {
  for (index = 0; index < description_.controls.size(); index++)
    if (description_.controls[index].id == id) return &description_.controls[index];
  return nullptr;
}

/** Whether the camera exposes as it thinks best, so that the time is not to be set. */
bool Camera::is_automatic(uint32_t id) const {
  size_t index;
  if (id != V4L2_CID_EXPOSURE_ABSOLUTE || !entry_of(V4L2_CID_EXPOSURE_AUTO, index)) return false;
  return state_->controls[index] != V4L2_EXPOSURE_MANUAL && state_->controls[index] != V4L2_EXPOSURE_SHUTTER_PRIORITY;
}

/** As a bus on which the camera may be slow, or say nothing. */
int Camera::ask_about_controls(unsigned long request, void* argument) {
  __atomic_fetch_add(&state_->control_asks, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&state_->controls_hang, __ATOMIC_SEQ_CST) && !state_->is_gone)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (state_->is_gone) return ENODEV;
  if (state_->control_error) return static_cast<int>(state_->control_error);
  switch (request) {
    case VIDIOC_QUERY_EXT_CTRL:
      return query_control(*static_cast<v4l2_query_ext_ctrl*>(argument));
    case VIDIOC_QUERYMENU:
      return query_menu(*static_cast<v4l2_querymenu*>(argument));
    default:
      return controls(*static_cast<v4l2_ext_controls*>(argument), request == VIDIOC_S_EXT_CTRLS);
  }
}

int Camera::query_control(v4l2_query_ext_ctrl& out) {
  const uint32_t asked = out.id & ~(V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND);
  const bool is_next = out.id & V4L2_CTRL_FLAG_NEXT_CTRL;
  for (const ControlEntry& control : description_.controls) {  // in the order of their numbers
    if (is_next ? control.id <= asked : control.id != asked) continue;
    out = {};
    out.id = control.id;
    out.type = control.type;
    std::memcpy(out.name, control.title.data(), std::min(sizeof out.name - 1, control.title.size()));
    out.minimum = control.min;
    out.maximum = control.max;
    out.step = static_cast<uint64_t>(control.step);
    out.default_value = control.initial;
    out.flags = control.flags | (is_automatic(control.id) ? V4L2_CTRL_FLAG_INACTIVE : 0);
    out.elem_size = 4;
    out.elems = 1;
    return 0;
  }
  return EINVAL;
}

int Camera::query_menu(v4l2_querymenu& out) {
  size_t index;
  const ControlEntry* control = entry_of(out.id, index);
  if (!control) return EINVAL;
  for (const auto& [value, label] : control->menu) {
    if (value != out.index) continue;
    std::memset(out.name, 0, sizeof out.name);
    std::memcpy(out.name, label.data(), std::min(sizeof out.name - 1, label.size()));
    return 0;
  }
  return EINVAL;
}

/** As a UVC camera: what lies outside of the limits is taken for the nearest that does not. */
int Camera::controls(v4l2_ext_controls& wish, bool is_set) {
  for (uint32_t at = 0; at < wish.count; at++) {
    v4l2_ext_control& each = wish.controls[at];
    size_t index;
    const ControlEntry* control = entry_of(each.id, index);
    wish.error_idx = at;
    if (!control) return EINVAL;
    if (is_set) {
      if ((control->flags & V4L2_CTRL_FLAG_READ_ONLY) || is_automatic(each.id)) return EACCES;
      if (state_->refused_control == each.id) {
        if (state_->refused_error) return static_cast<int>(state_->refused_error);
      } else {
        const int64_t wanted = control->type == V4L2_CTRL_TYPE_INTEGER64 ? each.value64 : each.value;
        const int64_t within = std::clamp(wanted, control->min, control->max);
        state_->controls[index] =
            control->step > 1 ? control->min + (within - control->min) / control->step * control->step : within;
      }
    }
    if (control->type == V4L2_CTRL_TYPE_INTEGER64) each.value64 = state_->controls[index];
    else each.value = static_cast<int32_t>(state_->controls[index]);
  }
  return 0;
}

}  // namespace shim
