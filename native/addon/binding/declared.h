// What the addon was compiled with and TypeScript says once more.
#pragma once

#include <napi.h>

namespace vedette {

/** A Declared of native/engine/process/addon.ts. */
Napi::Value declared(Napi::Env env);

}  // namespace vedette
