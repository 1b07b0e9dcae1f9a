// What a robot sets while a stream runs.
#pragma once

#include <napi.h>

#include "heading_log.h"
#include "live.h"

namespace vedette {

/** LiveControls of machines/extcam/live.ts; what sightings alone need is left. Throws Fault `engine.bad_task`. */
LiveControls read_live(const Napi::Value& value);

/** Heading of the same. */
Heading read_heading(const Napi::Value& value);

}  // namespace vedette
