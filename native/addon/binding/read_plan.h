// Plans and parameters as JavaScript says them: throws as read_value.h.
#pragma once

#include <napi.h>

#include "runner.h"

namespace vedette {

/** A Plan of machines/pipeline/graph.ts. */
PlanDocument read_plan(const Napi::Value& value);

/** A list of steps' ids and all their parameters. */
StepParams read_step_params(const Napi::Value& value);

}  // namespace vedette
