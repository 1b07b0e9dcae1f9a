// Steps that JavaScript does, as JavaScript sees them.
#pragma once

#include <napi.h>

namespace vedette {

/** The function `hosts` of the addon: a Hosts of native/engine/process/addon.ts. */
void add_hosts(Napi::Env env, Napi::Object exports);

}  // namespace vedette
