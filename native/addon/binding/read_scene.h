// What a camera sees and from where, as JavaScript says it: throws as read_value.h.
#pragma once

#include <napi.h>

#include <optional>

#include "frame.h"

namespace vedette {

/** A PoseDocument, or null for the identity. */
Pose read_pose(const Napi::Value& value);

/** A PoseDocument; null: none. */
std::optional<Pose> read_mount(const Napi::Value& value);

/** null: not known. */
Intrinsics read_intrinsics(const Napi::Value& value);

/** The same without the size of its pictures. */
Intrinsics read_lens(const Napi::Value& value);

/** null: all of the picture. */
Crop read_crop(const Napi::Value& value);

FieldMap read_map(const Napi::Value& value);

}  // namespace vedette
