// Where pictures are to come from, as JavaScript says it: throws as read_value.h.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <string>

#include "runner.h"

namespace vedette {

/** source: that of the task, whose backend has been read; task: what has been read of it so far. */
std::unique_ptr<Source> read_source(const std::string& backend, const Napi::Object& source,
                                    const Napi::Object& task_object, const Task& task);

/** A SourceClock of machines/clock/source-clock.ts, or null. */
std::optional<ClockOffset> read_source_clock(const Napi::Value& value);

/** What a control shall be set to, in our unit. */
ControlRequest read_control_request(const Napi::Value& id, const Napi::Value& value);

}  // namespace vedette
