#include "v4l2_describe.h"

#include <linux/videodev2.h>

#include <cerrno>

#include "json.h"
#include "v4l2_controls.h"
#include "v4l2_modes.h"

namespace vedette {
namespace {

std::string control_json(const Control& control) {
  JsonPieces out;
  out.number("id", control.id).text("name", control.name).text("type", control.type);
  out.number("min", control.min).number("max", control.max).number("step", control.step);
  out.number("default", control.default_value).number("value", control.value);
  out.field("unit", control.unit.empty() ? "null" : json_text(control.unit))
      .field("flags", json_list(control.flags, json_text));
  const auto entry = [](const MenuEntry& menu) {
    return JsonPieces().number("value", menu.value).text("label", menu.label).object();
  };
  out.field("menu", control.menu.empty() ? "null" : json_list(control.menu, entry));
  return out.object();
}

std::string mode_json(const CameraMode& mode) {
  JsonPieces out;
  out.text("pixel_format", mode.pixel_format).number("width_px", mode.width).number("height_px", mode.height);
  return out.field("fps", json_list(mode.fps, fps_text)).object();
}

/**
 * Whether another program streams: only that may have buffers. To give up buffers that one has not got harms nobody.
 */
void add_busy(const V4l2Device& device, JsonPieces& out) {
  v4l2_requestbuffers none{};
  none.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  none.memory = V4L2_MEMORY_MMAP;
  const int error = device.ask(VIDIOC_REQBUFS, &none);
  if (error == 0 || error == EBUSY) out.boolean("busy", error == EBUSY);
}

/** An errno for the kinds of faults that opening can have. */
int errno_of(const Fault& fault) {
  if (fault.code == "camera.missing") return ENOENT;
  if (fault.code == "camera.busy") return EBUSY;
  return fault.code == "camera.lost" ? ENODEV : EIO;
}

}  // namespace

std::string controls_json(const std::vector<Control>& controls) { return json_list(controls, control_json); }

std::string outcome_json(const ControlOutcome& outcome) {
  JsonPieces out;
  out.number("requested", outcome.requested).number("applied", outcome.applied).boolean("ok", outcome.ok());
  out.field("code", outcome.ok() ? "null" : json_text(outcome.code));
  return out.field("why", outcome.ok() ? "null" : json_text(outcome.detail)).object();
}

std::string camera_json(const std::string& path) {
  try {
    const auto device = std::make_shared<V4l2Device>(path);
    const DriverFacts facts = device->facts();
    JsonPieces out;
    out.text("device", path)
        .boolean("ok", true)
        .text("driver", facts.driver)
        .text("card", facts.card)
        .text("bus_info", facts.bus_info);
    out.boolean("is_capture", facts.is_capture);
    const CameraModes modes = facts.is_capture ? list_modes(*device) : CameraModes{};
    out.field("modes", json_list(modes.modes, mode_json))
        .field("other_formats", json_list(modes.other_formats, json_text));
    out.field("controls",
              controls_json(facts.is_capture ? V4l2Controls(device, facts.card).list() : std::vector<Control>{}));
    if (facts.is_capture) add_busy(*device, out);
    return out.object();
  } catch (const Fault& fault) {
    return failed_camera_json(path, errno_of(fault), fault.detail);
  }
}

std::string failed_camera_json(const std::string& device, int error, const std::string& detail) {
  return JsonPieces()
      .text("device", device)
      .boolean("ok", false)
      .number("errno", error)
      .text("detail", detail)
      .object();
}

}  // namespace vedette
