#include "read_scene.h"

#include "pose_math.h"
#include "read_value.h"

namespace vedette {

namespace {

constexpr double RAD = 0.01745329251994329577;
constexpr double MAX_METRES = 1e5, MAX_DEGREES = 1e5, MAX_PX = 1e6;
constexpr uint32_t MAX_TAGS = 2000;  // the patrol looks at each of them from everywhere

}  // namespace

std::optional<Pose> read_mount(const Napi::Value& value) {
  if (is_absent(value)) return std::nullopt;
  return read_pose(value);
}

Pose read_pose(const Napi::Value& value) {
  if (is_absent(value)) return Pose{};
  const Napi::Object pose = as_object(value, "a pose");
  const auto angle = [&pose](const char* name) { return number_in(pose, name, -MAX_DEGREES, MAX_DEGREES) * RAD; };
  const auto metres = [&pose](const char* name) { return number_in(pose, name, -MAX_METRES, MAX_METRES); };
  return pose_from_euler(metres("x_m"), metres("y_m"), metres("z_m"), angle("roll_deg"), angle("pitch_deg"),
                         angle("yaw_deg"));
}

Intrinsics read_intrinsics(const Napi::Value& value) {
  if (is_absent(value)) return {};
  const Napi::Object object = as_object(value, "intrinsics");
  Intrinsics out = read_lens(value);
  out.width = side_of(object, "width_px");
  out.height = side_of(object, "height_px");
  return out;
}

Intrinsics read_lens(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "a lens");
  Intrinsics out;
  out.known = true;
  out.fx = number_in(object, "fx_px", 1e-6, MAX_PX);
  out.fy = number_in(object, "fy_px", 1e-6, MAX_PX);
  out.cx = number_in(object, "cx_px", -MAX_PX, MAX_PX);
  out.cy = number_in(object, "cy_px", -MAX_PX, MAX_PX);
  out.distortion = list_of<double>(object.Get("distortion"), "distortion", 8, as_number);
  const size_t count = out.distortion.size();
  if (count != 0 && count != 4 && count != 5 && count != 8) refuse("distortion", "a list of 0, 4, 5 or 8 numbers");
  return out;
}

Crop read_crop(const Napi::Value& value) {
  if (is_absent(value)) return {};
  const Napi::Object crop = as_object(value, "crop");
  return {int_in(crop, "x_px", 0, MAX_SIDE), int_in(crop, "y_px", 0, MAX_SIDE), side_of(crop, "width_px"),
          side_of(crop, "height_px")};
}

FieldMap read_map(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "map");
  FieldMap out;
  out.family = string_of(object, "family");
  out.tag_size_m = number_in(object, "tag_size_m", 1e-6, MAX_METRES);
  out.length_m = number_in(object, "length_m", 0, MAX_METRES);
  out.width_m = number_in(object, "width_m", 0, MAX_METRES);
  out.tags =
      list_of<MapTag>(object.Get("tags"), "map.tags", MAX_TAGS, [](const Napi::Value& tag, const std::string& name) {
        const Napi::Object entry = as_object(tag, name);
        MapTag out{int_of(entry, "id"), read_pose(entry.Get("pose")), "", 0};
        if (!is_absent(entry.Get("family"))) out.family = string_of(entry, "family");
        if (!is_absent(entry.Get("size_m"))) out.size_m = number_in(entry, "size_m", 1e-6, MAX_METRES);
        return out;
      });
  return out;
}

}  // namespace vedette
