// What JavaScript has to do with recordings and live video: where pictures go, how much is kept, and the results of
// what was recorded.
#pragma once

#include <napi.h>

#include "recording_tap.h"

namespace vedette {

/** An External of native/libav; null: none. Throws Fault. */
VedettePictureSink* read_sink(Napi::Value value);

/** How many bytes of a stream are kept. Throws Fault. */
size_t read_rewind_bytes(Napi::Value value);

/** Recorded of native/engine/process/addon.ts. */
Napi::Object describe_recorded(Napi::Env env, const RecordingTap::Taken& taken);

}  // namespace vedette
