// The class Stream, as JavaScript has it.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <vector>

#include "outlet.h"
#include "runner.h"

namespace vedette {

/**
 * One camera with its plan: `new Stream(onEvent)`.
 *
 * onEvent(type, value): `result` with the packed bytes, `picture` with a Picture, `notice` with an EngineEvent;
 * `result-in-turn` is one that must not be dropped, and resultLeft() is to be called when it has left the process. A
 * result never comes before the promise of its open() is settled. open() and close() are to be called one after the
 * other.
 */
class Stream : public Napi::ObjectWrap<Stream> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit Stream(const Napi::CallbackInfo& info);
  ~Stream() override;

  std::shared_ptr<Outlet> outlet() const { return outlet_; }
  /** Of the open camera. */
  const Runner& runner() const { return *runner_; }
  /** The number of the camera that is open, or was last. */
  int64_t opening() const { return opening_; }
  /** Whether the camera is still open that was then. */
  bool is_open(int64_t opening) const { return runner_ && opening_ == opening; }

  /** An open camera keeps its Stream alive, even when nobody holds on to that. */
  void adopt(std::unique_ptr<Runner> runner);
  /** nullptr: no camera is open. */
  std::unique_ptr<Runner> release_runner();
  void run_from_now_on(NextPlan next) { runner_->set_plan(std::move(next)); }
  /** Made for the open camera. */
  void keep_tried(std::unique_ptr<Plan> plan) { tried_ = std::move(plan); }

 private:
  static void end(void* data);

  Napi::Value open(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo&) { return change(std::nullopt); }
  Napi::Value change(std::optional<Task> task);
  /**
   * Of the open camera. A promise of the number of the plan; it fails, and the previous plan goes on, when this one
   * cannot be made. Second: only try, 0 then; it is kept in place of the one that was tried before.
   */
  Napi::Value set_plan(const Napi::CallbackInfo& info);
  /** Has the plan that was tried last run from the next picture on. Its number; 0: it is not kept any more. */
  Napi::Value run_tried(const Napi::CallbackInfo&);
  void drop_tried(const Napi::CallbackInfo&) { tried_.reset(); }
  /** A list of {id, params}: steps of the plan with all their parameters. */
  void set_params(const Napi::CallbackInfo& info);
  void set_mount(const Napi::CallbackInfo& info);
  /** LiveControls of machines/extcam/live.ts. */
  void set_live(const Napi::CallbackInfo& info);
  /** A Heading of the same. */
  void add_heading(const Napi::CallbackInfo& info);
  /** A SourceClock of machines/clock/source-clock.ts; null: it is not known. */
  void set_source_clock(const Napi::CallbackInfo& info);
  void set_picture_kinds(const Napi::CallbackInfo& info);
  void result_left(const Napi::CallbackInfo&) { outlet_->mailbox.result_left(); }
  /** A Pulse of machines/engine/health.ts; one that is not busy when nothing is open. */
  Napi::Value pulse(const Napi::CallbackInfo&);

  /**
   * Everything that is captured from now on goes to the sink, an External of native/libav; null: nowhere. Then whether
   * what is kept goes there first.
   */
  void record(const Napi::CallbackInfo& info);
  Napi::Value end_recording(const Napi::CallbackInfo&) {
    return Napi::Boolean::New(env_, outlet_->taps.recording.end());
  }
  void set_rewind(const Napi::CallbackInfo& info);
  /** A RewindKept of native/engine/port.ts; null: nothing is to be kept. */
  Napi::Value rewind_kept(const Napi::CallbackInfo&);
  Napi::Value take_recorded(const Napi::CallbackInfo&);
  /**
   * Everything that is captured from now on is encoded by what has the sink, an External of native/libav; null: nobody
   * watches.
   */
  void show_video(const Napi::CallbackInfo& info);

  void keep_viewer_records(const Napi::CallbackInfo& info);
  Napi::Value take_viewer(const Napi::CallbackInfo& info);
  void start_viewer(const Napi::CallbackInfo& info);
  void drop_viewer(const Napi::CallbackInfo& info);
  /** A JPEG, empty for none, and the output of the pipeline whose viewers see it; none: those of the camera. */
  void show_instead(const Napi::CallbackInfo& info);

  std::shared_ptr<CameraControls> open_controls() const { return runner_ ? runner_->controls() : nullptr; }
  Napi::Value controls(const Napi::CallbackInfo&);
  Napi::Value set_control(const Napi::CallbackInfo& info);

  const Napi::Env env_;
  std::shared_ptr<Outlet> outlet_;
  bool has_ended_ = false;
  int64_t opening_ = 0, plans_ = 0;
  std::vector<PictureKind> kinds_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Plan> tried_;  // for the camera of the runner, with which it goes
};

}  // namespace vedette
