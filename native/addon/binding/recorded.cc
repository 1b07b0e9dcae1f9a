#include "recorded.h"

#include <algorithm>

#include "source.h"

namespace vedette {

namespace {

constexpr double MAX_REWIND_BYTES = 64 << 20;  // as machines/stream/rewind.ts allows

}  // namespace

VedettePictureSink* read_sink(Napi::Value value) {
  if (value.IsNull()) return nullptr;
  if (!value.IsExternal()) throw Fault{"engine.bad_task", "what pictures are to go to is no sink"};
  VedettePictureSink* sink = value.As<Napi::External<VedettePictureSink>>().Data();
  if (sink->kind != VEDETTE_PICTURE_SINK)
    throw Fault{"engine.bad_task", "what pictures are to go to was built for another engine"};
  return sink;
}

size_t read_rewind_bytes(Napi::Value value) {
  const double bytes = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(bytes >= 0 && bytes <= MAX_REWIND_BYTES))
    throw Fault{"engine.bad_task", "what is to be kept of the last pictures is no number of bytes up to 64 MiB"};
  return static_cast<size_t>(bytes);
}

Napi::Object describe_recorded(Napi::Env env, const RecordingTap::Taken& taken) {
  Napi::Array results = Napi::Array::New(env, taken.results.size());
  for (uint32_t i = 0; i < taken.results.size(); i++) {
    const auto& [opening, packed] = taken.results[i];
    Napi::Float64Array data = Napi::Float64Array::New(env, packed.size());
    std::copy(packed.begin(), packed.end(), data.Data());
    Napi::Object result = Napi::Object::New(env);
    result["opening"] = static_cast<double>(opening);
    result["data"] = data;
    results[i] = result;
  }
  Napi::Object out = Napi::Object::New(env);
  out["results"] = results;
  out["results_lost"] = static_cast<double>(taken.results_lost);
  out["pictures_lost"] = static_cast<double>(taken.pictures_lost);
  return out;
}

}  // namespace vedette
