#include "describe.h"

#include <utility>

namespace vedette {

namespace {

Napi::Value describe_intrinsics(Napi::Env env, const Intrinsics& camera) {
  if (!camera.known) return env.Null();
  Napi::Object out = Napi::Object::New(env);
  out["width_px"] = camera.width;
  out["height_px"] = camera.height;
  out["fx_px"] = camera.fx;
  out["fy_px"] = camera.fy;
  out["cx_px"] = camera.cx;
  out["cy_px"] = camera.cy;
  Napi::Array distortion = Napi::Array::New(env, camera.distortion.size());
  for (uint32_t i = 0; i < camera.distortion.size(); i++) distortion[i] = camera.distortion[i];
  out["distortion"] = distortion;
  return out;
}

Napi::Object describe_part(Napi::Env env, const Crop& part) {
  Napi::Object out = Napi::Object::New(env);
  out["x_px"] = part.x;
  out["y_px"] = part.y;
  out["width_px"] = part.width;
  out["height_px"] = part.height;
  return out;
}

/** An AppliedCrop of machines/cameras/crop.ts. */
Napi::Value describe_crop(Napi::Env env, const AppliedCrop& applied) {
  if (applied.crop.is_whole()) return env.Null();
  const bool is_of_sensor = !applied.sensor.is_whole();
  Napi::Object out = describe_part(env, applied.crop);
  out["by"] = is_of_sensor ? "sensor" : "engine";
  out["sensor"] = is_of_sensor ? Napi::Value(describe_part(env, applied.sensor)) : env.Null();
  Napi::Object picture = Napi::Object::New(env);
  picture["width_px"] = applied.whole_width;
  picture["height_px"] = applied.whole_height;
  out["picture"] = picture;
  return out;
}

/** The bytes without copying them: they live as long as the buffer. */
Napi::Value adopt_bytes(Napi::Env env, std::vector<uint8_t> bytes) {
  auto* owned = new std::vector<uint8_t>(std::move(bytes));
  return Napi::Buffer<uint8_t>::New(
      env, owned->data(), owned->size(), [](Napi::Env, uint8_t*, std::vector<uint8_t>* held) { delete held; }, owned);
}

/** A copy: others have it too. Null: its frame was left out. */
Napi::Value describe_result(Napi::Env env, const SharedResult& result) {
  if (!result) return env.Null();
  const auto* bytes = reinterpret_cast<const uint8_t*>(result->data());
  return Napi::Buffer<uint8_t>::Copy(env, bytes, result->size() * sizeof(double));
}

}  // namespace

Napi::Object describe(Napi::Env env, const Runner& runner) {
  const SourceFormat& format = runner.format();
  Napi::Object out = Napi::Object::New(env);
  out["width_px"] = format.width;
  out["height_px"] = format.height;
  out["fps"] = format.fps;
  out["pixel_format"] = format.pixel_format;
  out["timestamp_source"] = format.timestamp_source;
  out["intrinsics"] = describe_intrinsics(env, format.intrinsics);
  out["crop"] = describe_crop(env, format.applied);
  out["has_truth"] = runner.has_truth();
  return out;
}

Napi::Object describe(Napi::Env env, EncodedPicture& picture) {
  Napi::Object out = Napi::Object::New(env);
  out["key"] = picture.key;
  out["seq"] = static_cast<double>(picture.seq);
  out["captured_us"] = static_cast<double>(picture.captured_us);
  out["width_px"] = picture.width;
  out["height_px"] = picture.height;
  out["passthrough"] = picture.passthrough;
  out["jpeg"] = adopt_bytes(env, std::move(picture.jpeg));
  if (picture.has_results) out["result"] = describe_result(env, picture.result);
  return out;
}

Napi::Object describe(Napi::Env env, const Notice& notice) {
  Napi::Object out = Napi::Object::New(env);
  out["type"] = notice.type;
  if (notice.type == "stamped") out["timestamp_source"] = notice.timestamp_source;
  if (notice.fault.code.empty()) return out;
  Napi::Object fault = Napi::Object::New(env);
  fault["code"] = notice.fault.code;
  fault["detail"] = notice.fault.detail;
  out["fault"] = fault;
  if (notice.type == "warned") out["count"] = static_cast<double>(notice.count);
  return out;
}

Napi::Object describe(Napi::Env env, const ViewerLeft& left) {
  Napi::Object out = Napi::Object::New(env);
  out["viewer"] = static_cast<double>(left.id);
  out["why"] = left.why;
  return out;
}

}  // namespace vedette
