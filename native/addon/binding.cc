// The addon's exports: the class Stream, and what it was compiled with. Everything slow runs off the JavaScript thread.
#include <napi.h>

#include <opencv2/core/utility.hpp>

#include "control_work.h"
#include "declared.h"
#include "describe.h"
#include "read_task.h"
#include "recorded.h"

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

class Stream;

/** The way from the threads to JavaScript. Outlives its Stream until the last thread and the last call that is on its way are done with it. */
struct Outlet {
  static void deliver(Napi::Env env, Napi::Function on_event, Outlet* outlet, void*) {
    if (env) outlet->empty_mailbox(env, on_event);
  }
  using Waker = Napi::TypedThreadSafeFunction<Outlet, void, deliver>;

  static std::shared_ptr<Outlet> make(Napi::Env env, Napi::Function on_event) {
    auto outlet = std::make_shared<Outlet>();
    const auto drop = [](Napi::Env, std::shared_ptr<Outlet>* held, Outlet*) { delete held; };
    outlet->waker = Waker::New(env, on_event, "vedette", 0, 1, outlet.get(), drop, new std::shared_ptr<Outlet>(outlet));
    outlet->waker.Unref(env);
    return outlet;
  }

  void empty_mailbox(Napi::Env env, Napi::Function on_event) {
    mailbox.take(contents);
    if (!contents.result.empty()) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(contents.result.data());
      on_event.Call({Napi::String::New(env, "result"), Napi::Buffer<uint8_t>::Copy(env, bytes, contents.result.size() * sizeof(double))});
    }
    for (const std::vector<double>& packed : contents.in_turn) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(packed.data());
      on_event.Call({Napi::String::New(env, "result-in-turn"), Napi::Buffer<uint8_t>::Copy(env, bytes, packed.size() * sizeof(double))});
    }
    for (const Notice& notice : contents.notices) on_event.Call({Napi::String::New(env, "notice"), describe(env, notice)});
    for (const ViewerLeft& left : contents.left) on_event.Call({Napi::String::New(env, "viewer-left"), describe(env, left)});
    for (EncodedPicture& picture : contents.pictures) on_event.Call({Napi::String::New(env, "picture"), describe(env, picture)});
  }

  Waker waker;
  Mailbox mailbox{[this] { waker.NonBlockingCall(); }};
  Taps taps;
  Mailbox::Contents contents;
  Viewers viewers{[this](int64_t id, const char* why) { mailbox.post_left({id, why}); }};
};

/** Ends the runner of before and, when there is a task, opens the next, on a thread of the pool. */
class Change : public Napi::AsyncWorker {
 public:
  Change(Stream& stream, std::optional<Task> task);
  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override;
  void OnOK() override;

 private:
  Stream& stream_;
  const Napi::ObjectReference keeps_alive_;
  const std::shared_ptr<Outlet> outlet_;
  Napi::Promise::Deferred deferred_;
  std::optional<Task> task_;
  const int64_t plan_number_;
  std::unique_ptr<Runner> before_, after_;
  Fault fault_;
};

/** Makes a plan for an open camera, on a thread of the pool, and has it run from the next picture on if that is wanted. */
class PlanChange : public Napi::AsyncWorker {
 public:
  /** number: of a plan that is to be run; 0: whether it can be made is all that is asked. */
  PlanChange(Stream& stream, PlanDocument document, int64_t number);
  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override;
  void OnOK() override;

 private:
  Stream& stream_;
  const Napi::ObjectReference keeps_alive_;
  const int64_t opening_;
  const Scene scene_;
  const PlanDocument document_;
  Napi::Promise::Deferred deferred_;
  NextPlan next_;
  Fault fault_;
};

/**
 * One camera with its plan: `new Stream(onEvent)`.
 *
 * onEvent(type, value): `result` with the packed bytes, `picture` with a Picture, `notice` with an EngineEvent; `result-in-turn` is one that must not be
 * dropped, and resultLeft() is to be called when it has left the process. A result never comes before the promise of its open() is settled. open() and close() are to be called one after the other.
 */
class Stream : public Napi::ObjectWrap<Stream> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Stream",
                       {InstanceMethod<&Stream::open>("open"), InstanceMethod<&Stream::close>("close"), InstanceMethod<&Stream::set_plan>("setPlan"), InstanceMethod<&Stream::set_params>("setParams"),
                        InstanceMethod<&Stream::set_picture_kinds>("setPictureKinds"),
                        InstanceMethod<&Stream::set_mount>("setMount"), InstanceMethod<&Stream::result_left>("resultLeft"), InstanceMethod<&Stream::pulse>("pulse"),
                        InstanceMethod<&Stream::record>("record"), InstanceMethod<&Stream::end_recording>("endRecording"), InstanceMethod<&Stream::set_rewind>("setRewind"), InstanceMethod<&Stream::take_recorded>("takeRecorded"), InstanceMethod<&Stream::show_video>("showVideo"),
                        InstanceMethod<&Stream::keep_viewer_records>("keepViewerRecords"), InstanceMethod<&Stream::take_viewer>("takeViewer"),
                        InstanceMethod<&Stream::start_viewer>("startViewer"), InstanceMethod<&Stream::drop_viewer>("dropViewer"), InstanceMethod<&Stream::show_instead>("showInstead"),
                        InstanceMethod<&Stream::controls>("controls"), InstanceMethod<&Stream::set_control>("setControl")});
  }

  explicit Stream(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Stream>(info), env_(info.Env()) {
    if (!info[0].IsFunction()) throw Napi::TypeError::New(env_, "Stream needs a function that takes its events");
    outlet_ = Outlet::make(env_, info[0].As<Napi::Function>());
    // Registered after the waker, so run before its end: no thread may call a waker that is gone.
    napi_add_env_cleanup_hook(env_, end, this);
  }

  ~Stream() override {
    if (!outlet_ || has_ended_) return;
    napi_remove_env_cleanup_hook(env_, end, this);
    end(this);
    outlet_->waker.Release();
  }

  std::unique_ptr<Runner> release_runner() {
    if (runner_) Unref();
    return std::move(runner_);
  }
  std::shared_ptr<Outlet> outlet() const { return outlet_; }

  /** An open camera keeps its Stream alive, even when nobody holds on to that. */
  void adopt(std::unique_ptr<Runner> runner) {
    if (!runner_) Ref();
    runner_ = std::move(runner);
    runner_->set_kinds(kinds_);
    opening_ = outlet_->taps.recording.reopened(runner_->format());
    runner_->start();
  }
  const Runner& runner() const { return *runner_; }
  /** Whether the camera is still open that was then. */
  bool is_open(int64_t opening) const { return runner_ && opening_ == opening; }
  void run_from_now_on(NextPlan next) { runner_->set_plan(std::move(next)); }
  int64_t opening() const { return opening_; }

 private:
  static void end(void* data) {
    auto* stream = static_cast<Stream*>(data);
    stream->has_ended_ = true;
    stream->outlet_->mailbox.disconnect();
    stream->outlet_->taps.recording.set_sink(nullptr);
    stream->outlet_->taps.video.set_sink(nullptr);
    stream->runner_.reset();
    stream->outlet_->viewers.end();
  }

  Napi::Value open(const Napi::CallbackInfo& info) {
    return guarded(env_, [&] {
      Task task = read_task(info[0]);
      task.plan_number = ++plans_;
      return change(std::move(task));
    });
  }

  /** Of the open camera. A promise of the number of the plan; it fails, and the plan of before goes on, when this one cannot be made. Second: only try, 0 then. */
  Napi::Value set_plan(const Napi::CallbackInfo& info) {
    return guarded(env_, [&]() -> Napi::Value {
      PlanDocument document = read_plan(info[0]);
      if (!runner_) throw Fault{"engine.bad_task", "no camera is open that a plan could be run on"};
      auto* change = new PlanChange(*this, std::move(document), info[1].ToBoolean() ? 0 : ++plans_);  // deletes itself when done
      const Napi::Promise promise = change->promise();
      change->Queue();
      return promise;
    });
  }

  /** A list of {id, params}: steps of the plan with all their parameters. */
  void set_params(const Napi::CallbackInfo& info) {
    guarded(env_, [&] {
      StepParams params = read_step_params(info[0]);
      if (runner_) runner_->set_params(std::move(params));
    });
  }

  Napi::Value close(const Napi::CallbackInfo&) { return change(std::nullopt); }

  Napi::Value change(std::optional<Task> task) {
    auto* change = new Change(*this, std::move(task));  // deletes itself when done
    const Napi::Promise promise = change->promise();
    change->Queue();
    return promise;
  }

  void set_picture_kinds(const Napi::CallbackInfo& info) {
    guarded(env_, [&] {
      kinds_ = read_kinds(info[0]);
      if (runner_) runner_->set_kinds(kinds_);
    });
  }

  void set_mount(const Napi::CallbackInfo& info) {
    guarded(env_, [&] {
      const Pose mount = read_pose(info[0]);
      if (runner_) runner_->set_mount(mount);
    });
  }

  void result_left(const Napi::CallbackInfo&) { outlet_->mailbox.result_left(); }

  /** A Pulse of machines/engine/health.ts; one that is not busy when nothing is open. */
  Napi::Value pulse(const Napi::CallbackInfo&) {
    const Runner::Pulse pulse = runner_ ? runner_->pulse() : Runner::Pulse{};
    Napi::Object out = Napi::Object::New(env_);
    out["is_busy"] = pulse.is_busy;
    out["steps_done"] = static_cast<double>(pulse.steps_done);
    return out;
  }

  /** Everything that is captured from now on goes to the sink, an External of native/libav; null: nowhere. Then whether what is kept goes there first. */
  void record(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->taps.recording.set_sink(read_sink(info[0]), info[1].ToBoolean()); });
  }

  Napi::Value end_recording(const Napi::CallbackInfo&) { return Napi::Boolean::New(env_, outlet_->taps.recording.end()); }

  void set_rewind(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->taps.recording.set_rewind(read_rewind_bytes(info[0])); });
  }

  Napi::Value take_recorded(const Napi::CallbackInfo&) { return describe_recorded(env_, outlet_->taps.recording.take()); }

  /** Everything that is captured from now on is encoded by what has the sink, an External of native/libav; null: nobody watches. */
  void show_video(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->taps.video.set_sink(read_sink(info[0])); });
  }

  void keep_viewer_records(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->viewers.keep_records(info[0].As<Napi::Number>()); });
  }

  Napi::Value take_viewer(const Napi::CallbackInfo& info) {
    return guarded(env_, [&] {
      const uint64_t position = outlet_->viewers.take(info[0].As<Napi::Number>(), info[1].As<Napi::Number>().Uint32Value(), info[2].As<Napi::Number>());
      return Napi::Number::New(env_, static_cast<double>(position));
    });
  }

  void start_viewer(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->viewers.start(info[0].As<Napi::Number>(), read_view(info[1])); });
  }

  void drop_viewer(const Napi::CallbackInfo& info) {
    guarded(env_, [&] { outlet_->viewers.drop(info[0].As<Napi::Number>()); });
  }

  void show_instead(const Napi::CallbackInfo& info) {
    guarded(env_, [&] {
      const auto jpeg = info[0].As<Napi::Uint8Array>();
      outlet_->viewers.show_instead({jpeg.Data(), jpeg.Data() + jpeg.ByteLength()});
    });
  }

  std::shared_ptr<CameraControls> open_controls() const { return runner_ ? runner_->controls() : nullptr; }

  Napi::Value controls(const Napi::CallbackInfo&) {
    return guarded(env_, [&] { return list_controls(env_, open_controls()); });
  }

  Napi::Value set_control(const Napi::CallbackInfo& info) {
    return guarded(env_, [&] { return set_camera_control(env_, open_controls(), read_control_wish(info[0], info[1])); });
  }

  const Napi::Env env_;
  std::shared_ptr<Outlet> outlet_;
  bool has_ended_ = false;
  int64_t opening_ = 0, plans_ = 0;
  std::vector<PictureKind> kinds_;
  std::unique_ptr<Runner> runner_;
};

Change::Change(Stream& stream, std::optional<Task> task)
    : Napi::AsyncWorker(stream.Env(), "vedette"),
      stream_(stream),
      keeps_alive_(Napi::Persistent(stream.Value())),
      outlet_(stream.outlet()),
      deferred_(stream.Env()),
      task_(std::move(task)),
      plan_number_(task_ ? task_->plan_number : 0),
      before_(stream.release_runner()) {}

void Change::Execute() {
  before_.reset();
  outlet_->mailbox.clear();
  if (!task_) return;
  try {
    after_ = std::make_unique<Runner>(std::move(*task_), outlet_->mailbox, outlet_->taps, outlet_->viewers);
  } catch (const Fault& fault) {
    fault_ = fault;
  } catch (const std::exception& error) {
    fault_ = {"engine.failed", std::string("opening failed unexpectedly: ") + error.what()};
  }
}

void Change::OnOK() {
  if (!fault_.code.empty()) return deferred_.Reject(to_error(Env(), fault_).Value());
  if (!after_) return deferred_.Resolve(Env().Undefined());
  try {
    stream_.adopt(std::move(after_));
  } catch (const std::exception& error) {  // no thread can be started
    stream_.release_runner().reset();
    return deferred_.Reject(to_error(Env(), {"engine.failed", std::string("opening failed unexpectedly: ") + error.what()}).Value());
  }
  Napi::Object opened = describe(Env(), stream_.runner());
  opened["plan"] = static_cast<double>(plan_number_);
  deferred_.Resolve(opened);
}

PlanChange::PlanChange(Stream& stream, PlanDocument document, int64_t number)
    : Napi::AsyncWorker(stream.Env(), "vedette"),
      stream_(stream),
      keeps_alive_(Napi::Persistent(stream.Value())),
      opening_(stream.opening()),
      scene_(stream.runner().scene()),
      document_(std::move(document)),
      deferred_(stream.Env()),
      next_{nullptr, number} {}

void PlanChange::Execute() {
  try {
    next_.plan = std::make_unique<Plan>(document_, scene_);
  } catch (const Fault& fault) {
    fault_ = fault;
  } catch (const std::exception& error) {
    fault_ = {"engine.failed", std::string("the pipeline could not be made: ") + error.what()};
  }
}

void PlanChange::OnOK() {
  if (fault_.code.empty() && !stream_.is_open(opening_)) fault_ = {"engine.bad_task", "the camera was closed before the pipeline was made"};
  if (!fault_.code.empty()) return deferred_.Reject(to_error(Env(), fault_).Value());
  const auto number = static_cast<double>(next_.number);
  if (next_.number > 0) stream_.run_from_now_on(std::move(next_));
  deferred_.Resolve(Napi::Number::New(Env(), number));
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  cv::setNumThreads(0);  // a pool of threads would be kept for matrices of eight rows
  exports["Stream"] = Stream::define(env);
  exports["declared"] = Napi::Function::New(env, [](const Napi::CallbackInfo& info) { return declared(info.Env()); }, "declared");
  return exports;
}

}  // namespace

NODE_API_MODULE(vedette, initialise)

}  // namespace vedette
