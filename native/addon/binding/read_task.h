// What JavaScript asks for into the plain structs that worker threads see. All of these throw Fault `engine.bad_task`
// for what they cannot read, whatever it is: a list too long, a number out of all range, a value of another kind.
#pragma once

#include <napi.h>

#include "runner.h"

namespace vedette {

/**
 * An EngineTask of native/engine/port.ts. clock: what is known of the clock of the device that its camera is on, if
 * that is another one.
 */
Task read_task(const Napi::Value& value, std::shared_ptr<const SourceClock> clock);

/** A list of PictureKind. */
std::vector<PictureKind> read_kinds(const Napi::Value& value);

/** A ViewerLook of native/viewers/port.ts. */
View read_view(const Napi::Value& value);

/** The name of an output of the pipeline; empty for the camera's pictures, which have none. */
std::string read_output_name(const Napi::Value& value);

}  // namespace vedette
