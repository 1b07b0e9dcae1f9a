#include "read_task.h"

#include <cmath>

#include "pose_math.h"

namespace vedette {

namespace {

constexpr double RAD = 0.01745329251994329577;

// What may be asked for is decided before a task comes here (machines/stream/manifest.ts). These limits are wider, and only keep whatever a task says from
// taking memory or time without bound, and arithmetic from leaving its range.
constexpr int LEAST_SIDE = 16, MOST_SIDE = 8192;
constexpr double LEAST_FPS = 0.001, MOST_FPS = 1000;
constexpr double MOST_METRES = 1e5, MOST_DEGREES = 1e5, MOST_PX = 1e6;
constexpr int MOST_STALL_MS = 3'600'000;
constexpr uint32_t MOST_TAGS = 2000;  // the patrol looks at each of them from everywhere
constexpr uint32_t MOST_STEPS = 1024, MOST_PORTS = 16, MOST_PARAMS = 64, MOST_PARAM_ENTRIES = 10'000, MOST_PATHS = 20'000, MOST_KINDS = 64, MOST_CONTROLS = 256;
constexpr double MOST_CONTROL_ID = 4294967295.0, MOST_CONTROL_VALUE = 9e15;  // a 32-bit number; the integers that a double has

[[noreturn]] void refuse(const std::string& name, const std::string& expected) { throw Fault{"engine.bad_task", name + " is not " + expected}; }

/** A plain object: the entries of a list or a buffer would all be taken for its fields. */
Napi::Object as_object(const Napi::Value& value, const std::string& name) {
  if (!value.IsObject() || value.IsArray() || value.IsTypedArray() || value.IsArrayBuffer() || value.IsDataView() || value.IsFunction()) refuse(name, "an object");
  return value.As<Napi::Object>();
}

Napi::Array as_array(const Napi::Value& value, const std::string& name) {
  if (!value.IsArray()) refuse(name, "a list");
  return value.As<Napi::Array>();
}

std::string as_string(const Napi::Value& value, const std::string& name) {
  if (!value.IsString()) refuse(name, "a string");
  return value.As<Napi::String>();
}

double as_number(const Napi::Value& value, const std::string& name) {
  if (!value.IsNumber()) refuse(name, "a number");
  const double number = value.As<Napi::Number>();
  if (!std::isfinite(number)) refuse(name, "a finite number");
  return number;
}

int as_int(const Napi::Value& value, const std::string& name) {
  const double number = as_number(value, name);
  if (number != std::floor(number) || std::fabs(number) > 1e9) refuse(name, "an integer");
  return static_cast<int>(number);
}

bool as_bool(const Napi::Value& value, const std::string& name) {
  if (!value.IsBoolean()) refuse(name, "true or false");
  return value.As<Napi::Boolean>();
}

double whole_within(const Napi::Value& value, const std::string& name, double least, double most) {
  const double number = as_number(value, name);
  if (number != std::floor(number) || number < least || number > most) refuse(name, "an integer in its range");
  return number;
}

double number_of(const Napi::Object& object, const char* name) { return as_number(object.Get(name), name); }
int int_of(const Napi::Object& object, const char* name) { return as_int(object.Get(name), name); }

double number_in(const Napi::Object& object, const char* name, double least, double most) {
  const double number = number_of(object, name);
  if (number < least || number > most) refuse(name, "from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

int int_in(const Napi::Object& object, const char* name, int least, int most) {
  const int number = int_of(object, name);
  if (number < least || number > most) refuse(name, "from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

int side_of(const Napi::Object& object, const char* name) { return int_in(object, name, LEAST_SIDE, MOST_SIDE); }
double fps_of(const Napi::Object& object) { return number_in(object, "fps", LEAST_FPS, MOST_FPS); }

std::string string_of(const Napi::Object& object, const char* name) { return as_string(object.Get(name), name); }
bool is_absent(const Napi::Value& value) { return value.IsNull() || value.IsUndefined(); }

template <typename T, typename Read>
std::vector<T> list_of(const Napi::Value& value, const std::string& name, uint32_t most, Read read) {
  const Napi::Array array = as_array(value, name);
  if (array.Length() > most) refuse(name, "a list of at most " + std::to_string(most));
  std::vector<T> out;
  for (uint32_t i = 0; i < array.Length(); i++) out.push_back(read(array.Get(i), name + "[" + std::to_string(i) + "]"));
  return out;
}

Intrinsics read_intrinsics(const Napi::Value& value) {
  Intrinsics out;
  if (is_absent(value)) return out;
  const Napi::Object object = as_object(value, "intrinsics");
  out.known = true;
  out.width = side_of(object, "width_px");
  out.height = side_of(object, "height_px");
  out.fx = number_in(object, "fx_px", 1e-6, MOST_PX);
  out.fy = number_in(object, "fy_px", 1e-6, MOST_PX);
  out.cx = number_in(object, "cx_px", -MOST_PX, MOST_PX);
  out.cy = number_in(object, "cy_px", -MOST_PX, MOST_PX);
  out.distortion = list_of<double>(object.Get("distortion"), "distortion", 8, as_number);
  const size_t count = out.distortion.size();
  if (count != 0 && count != 4 && count != 5 && count != 8) refuse("distortion", "a list of 0, 4, 5 or 8 numbers");
  return out;
}

Crop read_crop(const Napi::Value& value) {
  if (is_absent(value)) return {};
  const Napi::Object crop = as_object(value, "crop");
  return {int_in(crop, "x_px", 0, MOST_SIDE), int_in(crop, "y_px", 0, MOST_SIDE), side_of(crop, "width_px"), side_of(crop, "height_px")};
}

FieldMap read_map(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "map");
  FieldMap out;
  out.family = string_of(object, "family");
  out.tag_size_m = number_in(object, "tag_size_m", 1e-6, MOST_METRES);
  out.length_m = number_in(object, "length_m", 0, MOST_METRES);
  out.width_m = number_in(object, "width_m", 0, MOST_METRES);
  out.tags = list_of<MapTag>(object.Get("tags"), "map.tags", MOST_TAGS, [](const Napi::Value& tag, const std::string& name) {
    const Napi::Object entry = as_object(tag, name);
    return MapTag{int_of(entry, "id"), read_pose(entry.Get("pose"))};
  });
  return out;
}

Param read_param(const Napi::Value& value, const std::string& name) {
  if (is_absent(value)) return std::monostate{};
  if (value.IsBoolean()) return as_bool(value, name);
  if (value.IsNumber()) return as_number(value, name);
  if (value.IsString()) return as_string(value, name);
  const Napi::Array array = as_array(value, name);
  if (array.Length() > 0 && array.Get(0u).IsString()) return list_of<std::string>(array, name, MOST_PARAM_ENTRIES, as_string);
  return list_of<double>(array, name, MOST_PARAM_ENTRIES, as_number);
}

/** Of the step `owner`. */
Params read_params(const Napi::Value& value, const std::string& owner, const std::string& name) {
  Params out(owner);
  const Napi::Object params = as_object(value, name);
  const Napi::Array names = params.GetPropertyNames();
  if (names.Length() > MOST_PARAMS) refuse(name, "an object of at most " + std::to_string(MOST_PARAMS) + " fields");
  for (uint32_t i = 0; i < names.Length(); i++) {
    const std::string param = as_string(names.Get(i), "a parameter's name");
    out.set(param, read_param(params.Get(param), param));
  }
  return out;
}

PlanDocument::Step read_step(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = as_object(value, name);
  PlanDocument::Step out;
  out.id = string_of(object, "id");
  out.type = string_of(object, "type");
  out.inputs = list_of<int>(object.Get("inputs"), name + ".inputs", MOST_PORTS, as_int);
  out.outputs = list_of<int>(object.Get("outputs"), name + ".outputs", MOST_PORTS, as_int);
  out.params = read_params(object.Get("params"), out.id, name + ".params");
  return out;
}

std::unique_ptr<Source> read_synthetic(const Napi::Object& object, const Task& task) {
  SyntheticOptions options;
  options.width = side_of(object, "width_px");
  options.height = side_of(object, "height_px");
  options.fps = fps_of(object);
  options.seed = static_cast<uint32_t>(number_in(object, "seed", 0, 4294967295.0));
  options.motion = string_of(object, "motion");
  options.speed_m_s = number_in(object, "speed_m_s", 0, 1000);
  options.noise = number_in(object, "noise", 0, 255);
  options.exposure_us = number_in(object, "exposure_us", 0, 1e7);
  options.light = number_in(object, "light", 0, 100);
  options.vignetting = number_in(object, "vignetting", 0, 1);
  options.occlusion = number_in(object, "occlusion", 0, 1);
  const Napi::Value pose = object.Get("pose");
  options.has_pose = !is_absent(pose);
  options.pose = read_pose(pose);
  options.mount = task.mount;
  options.crop = task.crop;
  options.intrinsics = task.intrinsics;
  options.map = task.map;
  return make_synthetic_source(options);
}

std::unique_ptr<Source> read_images(const Napi::Object& object, const Napi::Value& media_roots, const Task& task) {
  ImagesOptions options;
  const Napi::Value path = object.Get("path");
  options.paths = path.IsString() ? std::vector<std::string>{as_string(path, "path")} : list_of<std::string>(path, "path", MOST_PATHS, as_string);
  options.fps = fps_of(object);
  options.loop = as_bool(object.Get("loop"), "loop");
  options.intrinsics = task.intrinsics;
  options.media_roots = list_of<std::string>(media_roots, "media_roots", MOST_PATHS, as_string);
  return make_images_source(options);
}

std::string text_of(const Napi::Object& object, const char* name) { return is_absent(object.Get(name)) ? std::string() : string_of(object, name); }

std::unique_ptr<Source> read_file(const Napi::Object& object, const Napi::Object& task_object, const Task& task) {
  FileOptions options;
  options.path = string_of(object, "path");
  options.is_fast = string_of(object, "pace") == "fast";
  options.loop = as_bool(object.Get("loop"), "loop");
  options.intrinsics = task.intrinsics;
  options.media_roots = list_of<std::string>(task_object.Get("media_roots"), "media_roots", MOST_PATHS, as_string);
  options.video_library = text_of(task_object, "video_library");
  return make_file_source(options);
}

std::unique_ptr<Source> read_url(const Napi::Object& object, const Napi::Object& task_object, const Task& task) {
  UrlOptions options;
  options.url = string_of(object, "url");
  options.username = text_of(object, "username");
  options.password = text_of(object, "password");
  options.fps = fps_of(object);
  options.intrinsics = task.intrinsics;
  options.video_library = text_of(task_object, "video_library");
  return make_url_source(options);
}

ControlWish read_control(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = as_object(value, name);
  return read_control_wish(object.Get("id"), object.Get("value"));
}

std::unique_ptr<Source> read_v4l2(const Napi::Object& object, const Task& task) {
  V4l2Options options;
  options.device = string_of(object, "device");
  options.pixel_format = string_of(object, "pixel_format");
  options.width = side_of(object, "width_px");
  options.height = side_of(object, "height_px");
  options.fps = fps_of(object);
  options.controls = list_of<ControlWish>(object.Get("controls"), "controls", MOST_CONTROLS, read_control);
  options.crop = task.crop;
  options.intrinsics = task.intrinsics;
  return make_v4l2_source(options);
}

std::unique_ptr<Source> read_source(const std::string& backend, const Napi::Object& source, const Napi::Object& task_object, const Task& task) {
  if (backend == "synthetic") return read_synthetic(source, task);
  if (backend == "images") return read_images(source, task_object.Get("media_roots"), task);
  if (backend == "v4l2") return read_v4l2(source, task);
  if (backend == "url") return read_url(source, task_object, task);
  if (backend == "file") return read_file(source, task_object, task);
  refuse("backend " + backend, "one of synthetic, images, v4l2, url, file");
}

}  // namespace

PlanDocument read_plan(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "plan");
  PlanDocument out;
  out.slots = int_of(object, "slots");
  out.steps = list_of<PlanDocument::Step>(object.Get("steps"), "plan.steps", MOST_STEPS, read_step);
  out.outputs = list_of<PlanDocument::Output>(object.Get("outputs"), "plan.outputs", MOST_STEPS, [](const Napi::Value& output, const std::string& name) {
    const Napi::Object entry = as_object(output, name);
    return PlanDocument::Output{string_of(entry, "port"), int_of(entry, "slot")};
  });
  return out;
}

StepParams read_step_params(const Napi::Value& value) {
  return list_of<std::pair<std::string, Params>>(value, "steps", MOST_STEPS, [](const Napi::Value& step, const std::string& name) {
    const Napi::Object object = as_object(step, name);
    const std::string id = string_of(object, "id");
    return std::pair(id, read_params(object.Get("params"), id, name + ".params"));
  });
}

ControlWish read_control_wish(const Napi::Value& id, const Napi::Value& value) {
  return {static_cast<uint32_t>(whole_within(id, "id", 0, MOST_CONTROL_ID)),
          static_cast<int64_t>(whole_within(value, "value", -MOST_CONTROL_VALUE, MOST_CONTROL_VALUE))};
}

Pose read_pose(const Napi::Value& value) {
  if (is_absent(value)) return Pose{};
  const Napi::Object pose = as_object(value, "a pose");
  const auto angle = [&pose](const char* name) { return number_in(pose, name, -MOST_DEGREES, MOST_DEGREES) * RAD; };
  const auto metres = [&pose](const char* name) { return number_in(pose, name, -MOST_METRES, MOST_METRES); };
  return pose_from_euler(metres("x_m"), metres("y_m"), metres("z_m"), angle("roll_deg"), angle("pitch_deg"), angle("yaw_deg"));
}

std::vector<PictureKind> read_kinds(const Napi::Value& value) {
  return list_of<PictureKind>(value, "kinds", MOST_KINDS, [](const Napi::Value& kind, const std::string& name) {
    const Napi::Object entry = as_object(kind, name);
    const double fps = number_in(entry, "fps", 0, MOST_FPS);
    if (fps != 0 && fps < LEAST_FPS) refuse("fps", "0 or at least " + std::to_string(LEAST_FPS));
    const Napi::Value is_delivered = entry.Get("is_delivered");
    return PictureKind{string_of(entry, "key"), int_in(entry, "max_width_px", 0, 1 << 16), int_in(entry, "quality", 0, 100),
                       as_bool(entry.Get("overlay"), "overlay"), fps, is_absent(is_delivered) || as_bool(is_delivered, "is_delivered")};
  });
}

View read_view(const Napi::Value& value) {
  const Napi::Object look = as_object(value, "look");
  return {string_of(look, "key"), string_of(look, "boundary"), number_in(look, "fps", 0, MOST_FPS),
          static_cast<int64_t>(int_in(look, "stall_limit_ms", 1, MOST_STALL_MS)) * 1000};
}

Task read_task(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "the task");
  Task task;
  task.intrinsics = read_intrinsics(object.Get("intrinsics"));
  task.mount = read_pose(object.Get("mount"));
  task.crop = read_crop(object.Get("crop"));
  task.map = read_map(object.Get("map"));
  task.plan = read_plan(object.Get("plan"));
  const Napi::Object source = as_object(object.Get("source"), "source");
  const std::string backend = string_of(source, "backend");
  task.has_truth = backend == "synthetic";
  const Napi::Value pace = source.Get("pace");
  task.lossless = !is_absent(pace) && (as_string(pace, "pace") == "lossless" || as_string(pace, "pace") == "fast");
  task.source = cropped(read_source(backend, source, object, task), task.crop);
  return task;
}

}  // namespace vedette
