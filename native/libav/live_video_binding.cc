#include "live_video_binding.h"

#include <atomic>

#include "live_video.h"
#include "sink.h"

namespace vedette {

namespace {

// a quarter of a second; JavaScript that is further behind gets the next key
constexpr int MAX_PACKETS_ON_THEIR_WAY = 8;

/** The bytes without copying them: they live as long as the buffer. */
Napi::Value adopt_bytes(Napi::Env env, std::vector<uint8_t> bytes) {
  auto* owned = new std::vector<uint8_t>(std::move(bytes));
  return Napi::Buffer<uint8_t>::New(
      env, owned->data(), owned->size(), [](Napi::Env, uint8_t*, std::vector<uint8_t>* held) { delete held; }, owned);
}

class JsLiveVideo : public Napi::ObjectWrap<JsLiveVideo> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "LiveVideo",
                       {InstanceMethod<&JsLiveVideo::want_key>("wantKey"), InstanceMethod<&JsLiveVideo::limit>("limit"),
                        InstanceMethod<&JsLiveVideo::end>("end"), InstanceAccessor<&JsLiveVideo::sink>("sink")});
  }

  explicit JsLiveVideo(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsLiveVideo>(info) {
    const Napi::Object wanted = info[0].As<Napi::Object>();
    LiveVideoOptions options;
    options.library = wanted.Get("library").As<Napi::String>().Utf8Value();
    options.fps = wanted.Get("fps").As<Napi::Number>().DoubleValue();
    options.max_bits_per_s = wanted.Get("max_bits_per_s").As<Napi::Number>().Int64Value();
    waker_ = Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "vedette live video", 0, 1);
    waker_.Unref(info.Env());
    // Registered after the waker, so run before its end: no thread may call a waker that is gone.
    napi_add_env_cleanup_hook(info.Env(), end_before_environment, this);
    const auto waker = waker_;
    const auto under_way = std::make_shared<std::atomic<int>>(0);
    video_ = std::make_shared<LiveVideo>(
        std::move(options),
        [waker, under_way](LivePacket packet) {
          if (*under_way >= MAX_PACKETS_ON_THEIR_WAY) return false;
          auto* sent = new Sent{std::move(packet), under_way};
          (*under_way)++;
          const bool is_taken = waker.NonBlockingCall(sent, deliver) == napi_ok;
          if (!is_taken) delete sent;
          return is_taken;
        },
        [waker](const Fault& fault) {
          waker.NonBlockingCall([fault](Napi::Env env, Napi::Function on_event) { tell_fault(env, on_event, fault); });
        });
  }

  ~JsLiveVideo() override {
    napi_remove_env_cleanup_hook(Env(), end_before_environment, this);
    finish();
  }

 private:
  struct Sent {
    LivePacket packet;
    std::shared_ptr<std::atomic<int>> under_way;
  };

  static void deliver(Napi::Env env, Napi::Function on_event, Sent* data) {
    const std::unique_ptr<Sent> sent(data);
    LivePacket* packet = &sent->packet;
    (*sent->under_way)--;
    Napi::Object out = Napi::Object::New(env);
    out["captured_us"] = static_cast<double>(packet->captured_us);
    out["is_key"] = packet->is_key;
    out["bytes"] = adopt_bytes(env, std::move(packet->bytes));
    on_event.Call({out});
  }

  static void tell_fault(Napi::Env env, Napi::Function on_event, const Fault& fault) {
    Napi::Object out = Napi::Object::New(env), described = Napi::Object::New(env);
    described["code"] = fault.code;
    described["detail"] = fault.detail;
    out["fault"] = described;
    on_event.Call({out});
  }

  static void end_before_environment(void* self) { static_cast<JsLiveVideo*>(self)->finish(); }

  void finish() {
    if (!video_) return;
    video_->end();  // the holder of the sink may hold it longer
    video_.reset();
    waker_.Release();
  }

  void want_key(const Napi::CallbackInfo&) {
    if (video_) video_->want_key();
  }
  void limit(const Napi::CallbackInfo& info) {
    if (video_) video_->limit(info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : 0);
  }
  void end(const Napi::CallbackInfo&) { finish(); }
  Napi::Value sink(const Napi::CallbackInfo& info) {
    return video_ ? Sink<LiveVideo>::make(info.Env(), video_, true) : info.Env().Null();
  }

  Napi::ThreadSafeFunction waker_;
  std::shared_ptr<LiveVideo> video_;
};

}  // namespace

Napi::Function define_live_video(Napi::Env env) { return JsLiveVideo::define(env); }

}  // namespace vedette
