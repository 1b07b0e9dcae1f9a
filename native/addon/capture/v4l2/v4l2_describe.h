// Cameras and controls as JSON, the same for everybody who reads them.
#pragma once

#include <string>
#include <vector>

#include "v4l2_control.h"

namespace vedette {

/** A list of controls. */
std::string controls_json(const std::vector<Control>& controls);

/** What came of a request: `{requested, applied, ok, code, why}`. */
std::string outcome_json(const ControlOutcome& outcome);

/**
 * What can be known of a camera without streaming from it: `{device, ok: true, driver, card, bus_info, is_capture,
 * modes, other_formats, controls, busy}`, or `{device, ok: false, errno, detail}`.
 */
std::string camera_json(const std::string& device);

/** The second form. */
std::string failed_camera_json(const std::string& device, int error, const std::string& detail);

}  // namespace vedette
