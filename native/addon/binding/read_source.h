// Where pictures are to come from, as JavaScript says it: throws as read_value.h.
#pragma once

#include <napi.h>

#include <memory>
#include <string>

#include "runner.h"

namespace vedette {

/** source: that of the task, whose backend has been read; task: what has been read of it so far. */
std::unique_ptr<Source> read_source(const std::string& backend, const Napi::Object& source, const Napi::Object& task_object, const Task& task);

/** What a control shall be set to, in our unit. */
ControlWish read_control_wish(const Napi::Value& id, const Napi::Value& value);

}  // namespace vedette
