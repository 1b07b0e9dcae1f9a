// What the threads have to say, as JavaScript values.
#pragma once

#include <napi.h>

#include "runner.h"

namespace vedette {

/** A NativeOpened of native/engine/process/addon.ts. */
Napi::Object describe(Napi::Env env, const Runner& runner);

/** A Picture of machines/stream/picture.ts; takes the bytes away. */
Napi::Object describe(Napi::Env env, EncodedPicture& picture);

/** An EngineEvent of native/engine/port.ts. */
Napi::Object describe(Napi::Env env, const Notice& notice);

/** A ViewerLeft of native/engine/process/addon.ts. */
Napi::Object describe(Napi::Env env, const ViewerLeft& left);

}  // namespace vedette
