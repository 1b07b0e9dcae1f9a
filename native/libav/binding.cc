// The addon's exports: the class Recorder. Loaded by an engine that records, and by no other: FFmpeg's libraries take 20 MB.
#include <napi.h>

#include <atomic>

#include "recorder.h"

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
  out["first_us"] = counts.first_us < 0 ? env.Null() : Napi::Value(Napi::Number::New(env, static_cast<double>(counts.first_us)));
  out["duration_us"] = static_cast<double>(counts.duration_us);
  return out;
}

/** NativeRecorderEvent of native/engine/libav.ts. */
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

/** A recorder as the engine's other addon sees it, which may hold it longer than JavaScript does. */
struct Sink : VedettePictureSink {
  explicit Sink(std::shared_ptr<Recorder> to) : VedettePictureSink{VEDETTE_PICTURE_SINK, this, add_holder, drop_holder, take_picture, nullptr}, recorder(std::move(to)) {}

  static Sink& of(void* self) { return *static_cast<Sink*>(self); }
  static void add_holder(void* self) { of(self).holders++; }
  static void drop_holder(void* self) {
    if (--of(self).holders == 0) delete &of(self);
  }
  static void take_picture(void* self, const uint8_t* bytes, size_t length, int64_t captured_us) { of(self).recorder->take(bytes, length, captured_us); }

  std::shared_ptr<Recorder> recorder;
  std::atomic<int> holders{1};
};

/**
 * One recording: `new Recorder({path, width_px, height_px, fragment_ms, most_queued_bytes}, onEvent)`.
 *
 * onEvent gets `opened`, then once `closed` or `failed`. sink: for Stream.record of the engine's other addon.
 */
class JsRecorder : public Napi::ObjectWrap<JsRecorder> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Recorder",
                       {InstanceMethod<&JsRecorder::cut>("cut"), InstanceMethod<&JsRecorder::stop>("stop"), InstanceMethod<&JsRecorder::counts>("counts"),
                        InstanceAccessor<&JsRecorder::sink>("sink")});
  }

  explicit JsRecorder(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsRecorder>(info) {
    const Napi::Object wanted = info[0].As<Napi::Object>();
    const auto number = [&](const char* name) { return wanted.Get(name).As<Napi::Number>().Int64Value(); };
    RecorderOptions options;
    options.path = wanted.Get("path").As<Napi::String>().Utf8Value();
    options.width = static_cast<int>(number("width_px"));
    options.height = static_cast<int>(number("height_px"));
    options.fragment_us = number("fragment_ms") * 1000;
    options.most_queued_bytes = static_cast<size_t>(number("most_queued_bytes"));
    auto waker = Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "vedette recorder", 0, 1);
    waker.Unref(info.Env());
    recorder_ = std::make_shared<Recorder>(options, [waker](const RecorderEvent& event) {
      const auto deliver = [event](Napi::Env env, Napi::Function on_event) { on_event.Call({describe(env, event)}); };
      waker.NonBlockingCall(deliver);
      if (event.type != "opened") waker.Release();  // nothing follows
    });
  }

 private:
  void cut(const Napi::CallbackInfo&) { recorder_->cut(); }
  void stop(const Napi::CallbackInfo&) { recorder_->stop(); }
  Napi::Value counts(const Napi::CallbackInfo& info) { return describe(info.Env(), recorder_->counts()); }
  Napi::Value sink(const Napi::CallbackInfo& info) {
    const auto drop = [](Napi::Env, VedettePictureSink* held) { held->release(held->self); };
    return Napi::External<VedettePictureSink>::New(info.Env(), new Sink(recorder_), drop);
  }

  std::shared_ptr<Recorder> recorder_;
};

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  av_log_set_level(AV_LOG_QUIET);  // what matters comes back as an error; the rest would go to the engine's standard error, addresses with passwords among it
  exports["Recorder"] = JsRecorder::define(env);
  return exports;
}

}  // namespace

NODE_API_MODULE(vedette_libav, initialise)

}  // namespace vedette
