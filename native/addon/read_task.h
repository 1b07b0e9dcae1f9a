// JavaScript values into the plain structs that worker threads see. All of these throw Fault `engine.bad_task` for what they cannot read,
// whatever it is: a list too long, a number out of all range, a value of another kind.
#pragma once

#include <napi.h>

#include "runner.h"

namespace vedette {

/** An EngineTask of native/engine/port.ts. */
Task read_task(const Napi::Value& value);

/** A Plan of machines/pipeline/graph.ts. */
PlanDocument read_plan(const Napi::Value& value);

/** A list of steps' ids and all their parameters. */
StepParams read_step_params(const Napi::Value& value);

/** A list of PictureKind. */
std::vector<PictureKind> read_kinds(const Napi::Value& value);

/** A ViewerLook of native/engine/wire.ts. */
View read_view(const Napi::Value& value);

/** What a control shall be set to, in our unit. */
ControlWish read_control_wish(const Napi::Value& id, const Napi::Value& value);

/** A PoseDocument, or null for the identity. */
Pose read_pose(const Napi::Value& value);

}  // namespace vedette
