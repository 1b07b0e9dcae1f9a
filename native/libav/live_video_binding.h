// The class LiveVideo of the addon.
#pragma once

#include <napi.h>

namespace vedette {

/**
 * `new LiveVideo({library, fps, max_bits_per_s}, onEvent)`: H.264 of the pictures that its sink takes.
 *
 * onEvent gets `{captured_us, is_key, bytes}`, or once `{fault}`. end: encodes nothing any more; takes as long as the
 * picture in work.
 */
Napi::Function define_live_video(Napi::Env env);

}  // namespace vedette
