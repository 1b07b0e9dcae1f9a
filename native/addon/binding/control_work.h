// Asking a camera about its controls, off the JavaScript thread: it may let us wait for seconds.
#pragma once

#include <napi.h>

#include <memory>

#include "source.h"

namespace vedette {

/** A promise of JSON text: the list of them; empty when there are none, nullptr. */
Napi::Promise list_controls(Napi::Env env, std::shared_ptr<CameraControls> controls);

/** A promise of JSON text: what came of the request. */
Napi::Promise set_camera_control(Napi::Env env, std::shared_ptr<CameraControls> controls,
                                 const ControlRequest& request);

}  // namespace vedette
