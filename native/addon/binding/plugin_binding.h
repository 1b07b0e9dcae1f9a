// What JavaScript has of the steps that programs of plugins do: the addon's `plugins`.
#pragma once

#include <napi.h>

namespace vedette {

void add_plugins(Napi::Env env, Napi::Object exports);

}  // namespace vedette
