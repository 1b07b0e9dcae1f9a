#include "stream_class.h"

#include <utility>

#include "control_work.h"
#include "describe.h"
#include "promised_work.h"
#include "read_live.h"
#include "read_plan.h"
#include "read_scene.h"
#include "read_source.h"
#include "read_task.h"
#include "recorded.h"
#include "stream_changes.h"

namespace vedette {

namespace {

/** Runs what a JavaScript caller asked for; a Fault, or whatever else is thrown, becomes an Error with a code. */
template <typename Body>
auto guarded(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (const Fault& fault) {
    throw to_error(env, fault);
  } catch (const std::exception& error) {
    throw to_error(env, {"engine.failed", std::string("it failed unexpectedly: ") + error.what()});
  }
}

}  // namespace

Napi::Function Stream::define(Napi::Env env) {
  return DefineClass(env, "Stream",
                     {InstanceMethod<&Stream::open>("open"),
                      InstanceMethod<&Stream::close>("close"),
                      InstanceMethod<&Stream::set_plan>("setPlan"),
                      InstanceMethod<&Stream::run_tried>("runTried"),
                      InstanceMethod<&Stream::drop_tried>("dropTried"),
                      InstanceMethod<&Stream::set_params>("setParams"),
                      InstanceMethod<&Stream::set_mount>("setMount"),
                      InstanceMethod<&Stream::set_live>("setLive"),
                      InstanceMethod<&Stream::add_heading>("addHeading"),
                      InstanceMethod<&Stream::set_source_clock>("setSourceClock"),
                      InstanceMethod<&Stream::set_picture_kinds>("setPictureKinds"),
                      InstanceMethod<&Stream::result_left>("resultLeft"),
                      InstanceMethod<&Stream::pulse>("pulse"),
                      InstanceMethod<&Stream::record>("record"),
                      InstanceMethod<&Stream::end_recording>("endRecording"),
                      InstanceMethod<&Stream::set_rewind>("setRewind"),
                      InstanceMethod<&Stream::rewind_kept>("rewindKept"),
                      InstanceMethod<&Stream::take_recorded>("takeRecorded"),
                      InstanceMethod<&Stream::show_video>("showVideo"),
                      InstanceMethod<&Stream::keep_viewer_records>("keepViewerRecords"),
                      InstanceMethod<&Stream::take_viewer>("takeViewer"),
                      InstanceMethod<&Stream::start_viewer>("startViewer"),
                      InstanceMethod<&Stream::drop_viewer>("dropViewer"),
                      InstanceMethod<&Stream::show_instead>("showInstead"),
                      InstanceMethod<&Stream::controls>("controls"),
                      InstanceMethod<&Stream::set_control>("setControl")});
}

Stream::Stream(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Stream>(info), env_(info.Env()) {
  if (!info[0].IsFunction()) throw Napi::TypeError::New(env_, "Stream needs a function that takes its events");
  outlet_ = Outlet::make(env_, info[0].As<Napi::Function>());
  // Registered after the waker, so run before its end: no thread may call a waker that is gone.
  napi_add_env_cleanup_hook(env_, end, this);
}

Stream::~Stream() {
  if (!outlet_ || has_ended_) return;
  napi_remove_env_cleanup_hook(env_, end, this);
  end(this);
  outlet_->waker.Release();
}

void Stream::end(void* data) {
  auto* stream = static_cast<Stream*>(data);
  stream->has_ended_ = true;
  stream->outlet_->mailbox.disconnect();
  stream->outlet_->taps.recording.set_sink(nullptr);
  stream->outlet_->taps.video.set_sink(nullptr);
  stream->runner_.reset();
  stream->outlet_->viewers.end();
}

void Stream::adopt(std::unique_ptr<Runner> runner) {
  if (!runner_) Ref();
  runner_ = std::move(runner);
  runner_->set_kinds(kinds_);
  opening_ = outlet_->taps.recording.reopened(runner_->format());
  runner_->start();
}

std::unique_ptr<Runner> Stream::release_runner() {
  tried_.reset();
  if (runner_) Unref();
  return std::move(runner_);
}

Napi::Value Stream::open(const Napi::CallbackInfo& info) {
  return guarded(env_, [&] {
    Task task = read_task(info[0], outlet_->source_clock);
    task.plan_number = ++plans_;
    return change(std::move(task));
  });
}

Napi::Value Stream::change(std::optional<Task> task) { return (new CameraChange(*this, std::move(task)))->begin(); }

Napi::Value Stream::set_plan(const Napi::CallbackInfo& info) {
  return guarded(env_, [&]() -> Napi::Value {
    PlanDocument document = read_plan(info[0]);
    if (!runner_) throw Fault{"engine.bad_task", "no camera is open that a plan could be run on"};
    return (new PlanChange(*this, std::move(document), info[1].ToBoolean() ? 0 : ++plans_))->begin();
  });
}

Napi::Value Stream::run_tried(const Napi::CallbackInfo&) {
  if (!tried_) return Napi::Number::New(env_, 0);
  run_from_now_on({std::move(tried_), ++plans_});
  return Napi::Number::New(env_, static_cast<double>(plans_));
}

void Stream::set_params(const Napi::CallbackInfo& info) {
  guarded(env_, [&] {
    StepParams params = read_step_params(info[0]);
    if (runner_) runner_->set_params(std::move(params));
  });
}

void Stream::set_mount(const Napi::CallbackInfo& info) {
  guarded(env_, [&] {
    const std::optional<Pose> mount = read_mount(info[0]);
    if (runner_) runner_->set_mount(mount);
  });
}

void Stream::set_live(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->robot.set_live(read_live(info[0])); });
}

void Stream::add_heading(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->robot.add_heading(read_heading(info[0])); });
}

void Stream::set_source_clock(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->source_clock->set(read_source_clock(info[0])); });
}

void Stream::set_picture_kinds(const Napi::CallbackInfo& info) {
  guarded(env_, [&] {
    kinds_ = read_kinds(info[0]);
    if (runner_) runner_->set_kinds(kinds_);
  });
}

Napi::Value Stream::pulse(const Napi::CallbackInfo&) {
  const Pulse pulse = runner_ ? runner_->pulse() : Pulse{};
  Napi::Object out = Napi::Object::New(env_);
  out["is_busy"] = pulse.is_busy;
  out["steps_done"] = static_cast<double>(pulse.steps_done);
  return out;
}

void Stream::record(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->taps.recording.set_sink(read_sink(info[0]), info[1].ToBoolean()); });
}

Napi::Value Stream::rewind_kept(const Napi::CallbackInfo&) {
  const auto kept = outlet_->taps.recording.kept();
  if (!kept) return env_.Null();
  Napi::Object out = Napi::Object::New(env_);
  out["pictures"] = static_cast<double>(kept->pictures);
  out["span_us"] = static_cast<double>(kept->span_us);
  out["bytes"] = static_cast<double>(kept->bytes);
  return out;
}

void Stream::set_rewind(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->taps.recording.set_rewind(read_rewind_bytes(info[0]), info[1].ToBoolean()); });
}

Napi::Value Stream::take_recorded(const Napi::CallbackInfo&) {
  return describe_recorded(env_, outlet_->taps.recording.take());
}

void Stream::show_video(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->taps.video.set_sink(read_sink(info[0])); });
}

void Stream::keep_viewer_records(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->viewers.keep_records(info[0].As<Napi::Number>()); });
}

Napi::Value Stream::take_viewer(const Napi::CallbackInfo& info) {
  return guarded(env_, [&] {
    const uint64_t position = outlet_->viewers.take(
        info[0].As<Napi::Number>(), info[1].As<Napi::Number>().Uint32Value(), info[2].As<Napi::Number>());
    return Napi::Number::New(env_, static_cast<double>(position));
  });
}

void Stream::start_viewer(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->viewers.start(info[0].As<Napi::Number>(), read_view(info[1])); });
}

void Stream::drop_viewer(const Napi::CallbackInfo& info) {
  guarded(env_, [&] { outlet_->viewers.drop(info[0].As<Napi::Number>()); });
}

void Stream::show_instead(const Napi::CallbackInfo& info) {
  guarded(env_, [&] {
    const auto jpeg = info[0].As<Napi::Uint8Array>();
    outlet_->viewers.show_instead({jpeg.Data(), jpeg.Data() + jpeg.ByteLength()}, read_output_name(info[1]));
  });
}

Napi::Value Stream::controls(const Napi::CallbackInfo&) {
  return guarded(env_, [&] { return list_controls(env_, open_controls()); });
}

Napi::Value Stream::set_control(const Napi::CallbackInfo& info) {
  return guarded(env_,
                 [&] { return set_camera_control(env_, open_controls(), read_control_request(info[0], info[1])); });
}

}  // namespace vedette
