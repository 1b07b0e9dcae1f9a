// The addon's exports: the classes Recorder and LiveVideo. Loaded by an engine that needs one of them, and by no other:
// FFmpeg's libraries take 20 MB.
#include <napi.h>

#include "live_video_binding.h"
#include "recorder.h"
#include "sink.h"

extern "C" {
#include <libavutil/log.h>
}

namespace vedette {

namespace {

Napi::Object describe(Napi::Env env, const RecorderCounts& counts) {
  Napi::Object out = Napi::Object::New(env);
  out["pictures"] = static_cast<double>(counts.pictures);
  out["lost"] = static_cast<double>(counts.lost);
  out["bytes"] = static_cast<double>(counts.bytes);
  out["first_us"] =
      counts.first_us < 0 ? env.Null() : Napi::Value(Napi::Number::New(env, static_cast<double>(counts.first_us)));
  out["duration_us"] = static_cast<double>(counts.duration_us);
  return out;
}

/** NativeRecorderEvent of native/engine/process/libav.ts. */
Napi::Object describe(Napi::Env env, const RecorderEvent& event) {
  Napi::Object out = Napi::Object::New(env);
  out["type"] = event.type;
  out["counts"] = describe(env, event.counts);
  if (event.fault.code.empty()) return out;
  Napi::Object fault = Napi::Object::New(env);
  fault["code"] = event.fault.code;
  fault["detail"] = event.fault.detail;
  out["fault"] = fault;
  return out;
}

/**
 * One recording: `new Recorder({path, width_px, height_px, fps, fragment_ms, max_queued_bytes, library,
 * max_bits_per_s}, onEvent)`. library: null, or the encoder of H.264.
 *
 * onEvent gets `opened`, then once `closed` or `failed`. sink: for Stream.record of the engine's other addon.
 */
class JsRecorder : public Napi::ObjectWrap<JsRecorder> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Recorder",
                       {InstanceMethod<&JsRecorder::cut>("cut"), InstanceMethod<&JsRecorder::stop>("stop"),
                        InstanceMethod<&JsRecorder::counts>("counts"), InstanceAccessor<&JsRecorder::sink>("sink")});
  }

  explicit JsRecorder(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsRecorder>(info) {
    const Napi::Object wanted = info[0].As<Napi::Object>();
    const auto number = [&](const char* name) { return wanted.Get(name).As<Napi::Number>().Int64Value(); };
    RecorderOptions options;
    options.path = wanted.Get("path").As<Napi::String>().Utf8Value();
    options.width = static_cast<int>(number("width_px"));
    options.height = static_cast<int>(number("height_px"));
    options.fragment_us = number("fragment_ms") * 1000;
    options.fps = wanted.Get("fps").As<Napi::Number>().DoubleValue();
    if (wanted.Get("library").IsString()) options.library = wanted.Get("library").As<Napi::String>().Utf8Value();
    options.max_bits_per_s = number("max_bits_per_s");
    options.max_queued_bytes = static_cast<size_t>(number("max_queued_bytes"));
    auto waker = Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "vedette recorder", 0, 1);
    waker.Unref(info.Env());
    recorder_ = std::make_shared<Recorder>(options, [waker](const RecorderEvent& event) {
      const auto deliver = [event](Napi::Env env, Napi::Function on_event) { on_event.Call({describe(env, event)}); };
      waker.NonBlockingCall(deliver);
      if (event.type != "opened") waker.Release();  // nothing follows
    });
    // Registered after the waker, so run before its end: no thread may call a waker that is gone.
    napi_add_env_cleanup_hook(info.Env(), end_before_environment, this);
  }

  ~JsRecorder() override { napi_remove_env_cleanup_hook(Env(), end_before_environment, this); }

 private:
  static void end_before_environment(void* self) { static_cast<JsRecorder*>(self)->recorder_->end(); }

  void cut(const Napi::CallbackInfo&) { recorder_->cut(); }
  void stop(const Napi::CallbackInfo&) { recorder_->stop(); }
  Napi::Value counts(const Napi::CallbackInfo& info) { return describe(info.Env(), recorder_->counts()); }
  Napi::Value sink(const Napi::CallbackInfo& info) {
    return Sink<Recorder>::make(info.Env(), recorder_, recorder_->takes_gray());
  }

  std::shared_ptr<Recorder> recorder_;
};

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  // what matters comes back as an error; the rest would go to the engine's standard error, addresses with passwords
  // among it
  av_log_set_level(AV_LOG_QUIET);
  exports["Recorder"] = JsRecorder::define(env);
  exports["LiveVideo"] = define_live_video(env);
  return exports;
}

}  // namespace

NODE_API_MODULE(vedette_libav, initialise)

}  // namespace vedette
