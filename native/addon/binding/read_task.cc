#include "read_task.h"

#include "read_plan.h"
#include "read_scene.h"
#include "read_source.h"
#include "read_value.h"

namespace vedette {

namespace {

constexpr int MAX_STALL_MS = 3'600'000;
constexpr uint32_t MAX_KINDS = 64;

}  // namespace

Task read_task(const Napi::Value& value, std::shared_ptr<const SourceClock> clock) {
  const Napi::Object object = as_object(value, "the task");
  Task task;
  task.clock = std::move(clock);
  task.intrinsics = read_intrinsics(object.Get("intrinsics"));
  task.mount = read_mount(object.Get("mount"));
  const Napi::Value observes = object.Get("observations");
  task.observes = !is_absent(observes) && as_bool(observes, "observations");
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

std::vector<PictureKind> read_kinds(const Napi::Value& value) {
  return list_of<PictureKind>(value, "kinds", MAX_KINDS, [](const Napi::Value& kind, const std::string& name) {
    const Napi::Object entry = as_object(kind, name);
    const double fps = number_in(entry, "fps", 0, MAX_FPS);
    if (fps != 0 && fps < MIN_FPS) refuse("fps", "0 or at least " + std::to_string(MIN_FPS));
    const Napi::Value is_delivered = entry.Get("is_delivered"), has_results = entry.Get("has_results");
    return PictureKind{string_of(entry, "key"),
                       text_of(entry, "output"),
                       int_in(entry, "max_width_px", 0, 1 << 16),
                       int_in(entry, "quality", 0, 100),
                       as_bool(entry.Get("overlay"), "overlay"),
                       fps,
                       is_absent(is_delivered) || as_bool(is_delivered, "is_delivered"),
                       !is_absent(has_results) && as_bool(has_results, "has_results")};
  });
}

std::string read_output_name(const Napi::Value& value) {
  return is_absent(value) ? std::string() : as_string(value, "output");
}

View read_view(const Napi::Value& value) {
  const Napi::Object look = as_object(value, "look");
  return {string_of(look, "key"), text_of(look, "output"), string_of(look, "boundary"),
          number_in(look, "fps", 0, MAX_FPS),
          static_cast<int64_t>(int_in(look, "stall_limit_ms", 1, MAX_STALL_MS)) * 1000};
}

}  // namespace vedette
