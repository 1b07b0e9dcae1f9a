#include "read_source.h"

#include <vector>

#include "read_scene.h"
#include "read_value.h"

namespace vedette {

namespace {

constexpr uint32_t MAX_PATHS = 20'000, MAX_CONTROLS = 256, MAX_DISPLACED = 2000;
constexpr int MAX_SQUARES = 100;
constexpr double MAX_MM = 10'000, MAX_BEND_MM = 1000, MAX_MS = 1e7, MAX_BLUR_PX = 100;
constexpr double MAX_US = 9e15;
// a 32-bit number; the integers that a double has
constexpr double MAX_CONTROL_ID = 4294967295.0, MAX_CONTROL_VALUE = 9e15;

uint32_t seed_of(const Napi::Object& object) {
  return static_cast<uint32_t>(number_in(object, "seed", 0, 4294967295.0));
}

SyntheticDrive read_drive(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "drive");
  return {seed_of(object), number_in(object, "speed_m_s", 0, 100), number_in(object, "spin_deg_s", 0, 10'000)};
}

SyntheticFaults read_faults(const Napi::Value& value) {
  SyntheticFaults faults;
  if (is_absent(value)) return faults;
  const Napi::Object object = as_object(value, "faults");
  faults.mount = read_pose(object.Get("mount"));
  if (const Napi::Value lens = object.Get("lens"); !is_absent(lens)) faults.lens = read_lens(lens);
  if (!is_absent(object.Get("lens_share"))) faults.lens_share = number_in(object, "lens_share", -0.9, 9);
  if (const Napi::Value map = object.Get("map"); !is_absent(map)) {
    const Napi::Object errors = as_object(map, "faults.map");
    faults.map_m = number_in(errors, "m", 0, 1000);
    faults.map_deg = number_in(errors, "deg", 0, 360);
    faults.map_seed = seed_of(errors);
  }
  if (const Napi::Value tags = object.Get("tags"); !is_absent(tags))
    faults.tags = list_of<TagOffset>(tags, "faults.tags", MAX_DISPLACED, [](const Napi::Value& tag, const auto& name) {
      const Napi::Object entry = as_object(tag, name);
      return TagOffset{int_of(entry, "id"), read_pose(entry.Get("offset"))};
    });
  return faults;
}

SyntheticBoard read_board(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "board");
  const auto metres = [&object](const char* name, double min, double max) {
    return number_in(object, name, min, max) / 1000;
  };
  SyntheticBoard board;
  board.kind = string_of(object, "kind");
  board.family = string_of(object, "family");
  board.columns = int_in(object, "columns", 2, MAX_SQUARES);
  board.rows = int_in(object, "rows", 2, MAX_SQUARES);
  board.is_old_layout = string_of(object, "layout") == "old";
  board.square_width_m = metres("square_width_mm", 1, MAX_MM);
  board.square_height_m = metres("square_height_mm", 1, MAX_MM);
  board.bend_width_m = metres("bend_width_mm", -MAX_BEND_MM, MAX_BEND_MM);
  board.bend_height_m = metres("bend_height_mm", -MAX_BEND_MM, MAX_BEND_MM);
  board.views = string_of(object, "views");
  board.hold_s = metres("hold_ms", 0, MAX_MS);
  board.move_s = metres("move_ms", 0, MAX_MS);
  const Napi::Value pose = object.Get("pose");
  board.has_pose = !is_absent(pose);
  board.pose = read_pose(pose);
  return board;
}

std::unique_ptr<Source> read_synthetic(const Napi::Object& object, const Napi::Object& task_object, const Task& task) {
  SyntheticOptions options;
  options.width = side_of(object, "width_px");
  options.height = side_of(object, "height_px");
  options.fps = fps_of(object);
  options.seed = seed_of(object);
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
  if (options.motion == "drive") options.drive = read_drive(object.Get("drive"));
  options.faults = read_faults(object.Get("faults"));
  options.faults.lens.width = options.width, options.faults.lens.height = options.height;
  options.blur_px = number_in(object, "blur_px", 0, MAX_BLUR_PX);
  if (const Napi::Value board = object.Get("board"); !is_absent(board)) options.board = read_board(board);
  const Napi::Value true_mount = task_object.Get("true_mount");
  options.mount = true_mount.IsUndefined() ? task.mount.value_or(Pose{}) : read_pose(true_mount);
  options.crop = task.crop;
  options.intrinsics = task.intrinsics;
  options.map = task.map;
  return make_synthetic_source(options);
}

std::unique_ptr<Source> read_images(const Napi::Object& object, const Napi::Value& media_roots, const Task& task) {
  ImagesOptions options;
  const Napi::Value path = object.Get("path");
  options.paths = path.IsString() ? std::vector<std::string>{as_string(path, "path")}
                                  : list_of<std::string>(path, "path", MAX_PATHS, as_string);
  options.fps = fps_of(object);
  options.loop = as_bool(object.Get("loop"), "loop");
  options.intrinsics = task.intrinsics;
  options.media_roots = list_of<std::string>(media_roots, "media_roots", MAX_PATHS, as_string);
  return make_images_source(options);
}

std::unique_ptr<Source> read_file(const Napi::Object& object, const Napi::Object& task_object, const Task& task) {
  FileOptions options;
  options.path = string_of(object, "path");
  options.is_fast = string_of(object, "pace") == "fast";
  options.loop = as_bool(object.Get("loop"), "loop");
  options.intrinsics = task.intrinsics;
  options.media_roots = list_of<std::string>(task_object.Get("media_roots"), "media_roots", MAX_PATHS, as_string);
  options.video_library = text_of(task_object, "video_library");
  return make_file_source(options);
}

std::unique_ptr<Source> read_url(const Napi::Object& object, const Napi::Object& task_object, const Task& task) {
  UrlOptions options;
  options.url = string_of(object, "url");
  options.username = text_of(object, "username");
  options.password = text_of(object, "password");
  options.fps = fps_of(object);
  options.clock = task.clock;
  options.intrinsics = task.intrinsics;
  options.video_library = text_of(task_object, "video_library");
  return make_url_source(options);
}

ControlRequest read_control(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = as_object(value, name);
  return read_control_request(object.Get("id"), object.Get("value"));
}

std::unique_ptr<Source> read_v4l2(const Napi::Object& object, const Task& task) {
  V4l2Options options;
  options.device = string_of(object, "device");
  options.pixel_format = string_of(object, "pixel_format");
  options.width = side_of(object, "width_px");
  options.height = side_of(object, "height_px");
  options.fps = fps_of(object);
  options.controls = list_of<ControlRequest>(object.Get("controls"), "controls", MAX_CONTROLS, read_control);
  options.crop = task.crop;
  options.intrinsics = task.intrinsics;
  return make_v4l2_source(options);
}

}  // namespace

std::unique_ptr<Source> read_source(const std::string& backend, const Napi::Object& source,
                                    const Napi::Object& task_object, const Task& task) {
  if (backend == "synthetic") return read_synthetic(source, task_object, task);
  if (backend == "images") return read_images(source, task_object.Get("media_roots"), task);
  if (backend == "v4l2") return read_v4l2(source, task);
  if (backend == "url") return read_url(source, task_object, task);
  if (backend == "file") return read_file(source, task_object, task);
  refuse("backend " + backend, "one of synthetic, images, v4l2, url, file");
}

std::optional<ClockOffset> read_source_clock(const Napi::Value& value) {
  if (is_absent(value)) return std::nullopt;
  const Napi::Object object = as_object(value, "a clock");
  return ClockOffset{static_cast<int64_t>(whole_within(object.Get("offset_us"), "offset_us", -MAX_US, MAX_US)),
                     static_cast<int64_t>(whole_within(object.Get("within_us"), "within_us", 0, MAX_US))};
}

ControlRequest read_control_request(const Napi::Value& id, const Napi::Value& value) {
  return {static_cast<uint32_t>(whole_within(id, "id", 0, MAX_CONTROL_ID)),
          static_cast<int64_t>(whole_within(value, "value", -MAX_CONTROL_VALUE, MAX_CONTROL_VALUE))};
}

}  // namespace vedette
