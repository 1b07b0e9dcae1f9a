// One opening of a camera: a capture thread, a worker thread that runs the plan on the newest frame, and the encoder. Lives from open to close.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "encoder.h"
#include "mailbox.h"
#include "pass_through.h"
#include "plan.h"
#include "taps.h"
#include "warnings.h"

namespace vedette {

/** What takes the place of the plan. number: see Runner. */
struct NextPlan {
  std::unique_ptr<Plan> plan;
  int64_t number = 0;
};

/** Parameters for steps, by their ids. */
using StepParams = std::vector<std::pair<std::string, Params>>;

/** What JavaScript asked for. has_truth: the source knows what it shows. lossless: no picture may be skipped. mount: camera body on the robot. plan_number: see Runner. crop: what `source` gives of its pictures already. */
struct Task {
  std::unique_ptr<Source> source;
  Intrinsics intrinsics;
  Crop crop;
  FieldMap map;
  PlanDocument plan;
  Pose mount;
  int64_t plan_number = 0;
  bool has_truth = false, lossless = false;
};

class Runner {
 public:
  /** Opens the source and makes the plan's nodes; takes as long as the camera does. Throws Fault. */
  Runner(Task task, Mailbox& mailbox, Taps& taps, Viewers& viewers);
  /** Ends the threads; takes at most as long as the frame in work. */
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void start();

  const SourceFormat& format() const { return format_; }
  const Scene& scene() const { return scene_; }
  bool has_truth() const { return has_truth_; }
  /** nullptr: what is open has none. */
  std::shared_ptr<CameraControls> controls() const { return source_->controls(); }

  void set_kinds(const std::vector<PictureKind>& kinds) {
    pass_through_.set_kinds(kinds);
    encoder_.set_kinds(kinds);
  }
  void set_mount(const Pose& mount);

  /** From the next picture on this plan is run, made for the scene of this runner. Its number stands in the results, which tells whose they are. */
  void set_plan(NextPlan next);
  /** From the next picture on steps have these parameters, as far as Node::set_params takes them. What goes wrong is a warning. */
  void set_params(StepParams params);

  /** What the worker does: whether it has a picture in work, and a number that grows with every step that it finishes. */
  struct Pulse {
    bool is_busy = false;
    int64_t steps_done = 0;
  };
  Pulse pulse() const { return {is_busy_, steps_done_}; }

 private:
  void capture();
  void capture_frames();
  std::shared_ptr<Frame> free_frame();
  void work();
  void take_changes();
  void process(const std::shared_ptr<Frame>& frame);
  void run_plan(Frame& frame, const Pose& mount);
  void hand_over();
  void pack(const Frame& frame, int64_t started_us, int64_t cpu_started_us);
  void check_size(const Frame& frame);
  void warn_of_picture(const Fault& fault);
  void fail_picture(const Frame& frame, const Fault& fault);
  void finish();
  void give_up(const Fault& fault);

  const std::unique_ptr<Source> source_;
  const bool has_truth_, lossless_;
  const SourceFormat format_;
  const Scene scene_;
  NextPlan plan_;  // the worker's, once it runs
  Mailbox& mailbox_;
  Taps& taps_;
  Warnings warnings_;
  PassThrough pass_through_;
  Encoder encoder_;

  std::mutex mutex_;  // mount_, next_plan_, next_params_ and last_bad_
  Pose mount_;
  NextPlan next_plan_;
  StepParams next_params_;
  Fault last_bad_;

  LatestSlot<std::shared_ptr<Frame>> frames_;
  std::vector<std::shared_ptr<Frame>> pool_;
  std::vector<double> packed_;
  bool is_first_ = true;
  size_t bad_in_a_row_ = 0;  // pictures without a result since the last that had one; the worker's

  std::atomic<bool> stopping_{false};
  std::atomic<bool> is_busy_{false};
  std::atomic<int64_t> skipped_{0}, processed_{0}, steps_done_{0};
  std::thread capture_thread_, worker_thread_;
};

}  // namespace vedette
