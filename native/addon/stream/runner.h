// One opening of a camera: a capture thread, a worker thread that runs the plan on the newest frame, and the encoder.
// Lives from open to close.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "bad_pictures.h"
#include "encoder.h"
#include "frame_pool.h"
#include "mailbox.h"
#include "pass_through.h"
#include "plan.h"
#include "robot_input.h"
#include "step_timer.h"
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

/**
 * What JavaScript asked for. has_truth: the source knows what it shows. lossless: no picture may be skipped. mount:
 * camera body on the robot; none: nobody has said where it sits, and it is taken to be the origin. observes: results
 * have an observation behind them. plan_number: see Runner. clock: of the device that `source` is on, where that is
 * another one of this kind. crop: what `source` gives of its pictures already.
 */
struct Task {
  std::unique_ptr<Source> source;
  std::shared_ptr<const SourceClock> clock;
  Intrinsics intrinsics;
  Crop crop;
  FieldMap map;
  PlanDocument plan;
  std::optional<Pose> mount;
  int64_t plan_number = 0;
  bool has_truth = false, lossless = false, observes = false;
};

class Runner {
 public:
  /** Opens the source and makes the plan's nodes; takes as long as the camera does. Throws Fault. */
  Runner(Task task, Mailbox& mailbox, Taps& taps, Viewers& viewers, const RobotInput& robot);
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
  /** As in Task. */
  void set_mount(const std::optional<Pose>& mount);

  /**
   * From the next picture on this plan is run, made for the scene of this runner. Its number stands in the results,
   * which tells whose they are.
   */
  void set_plan(NextPlan next);
  /**
   * From the next picture on steps have these parameters, as far as Node::set_params takes them. What goes wrong is a
   * warning.
   */
  void set_params(StepParams params);

  Pulse pulse() const { return timer_.pulse(); }

 private:
  void capture();
  void capture_frames();
  void hand_on(const std::shared_ptr<Frame>& frame);
  void tell_stamps(const Frame& frame);
  void work();
  void want_colour();
  NextPlan take_changes(const Frame& frame);
  void process(const std::shared_ptr<Frame>& frame);
  bool is_left_out(const Frame& frame, int64_t now_us, int skip);
  void leave_out(const std::shared_ptr<Frame>& frame, const Moment& moment);
  PictureSet pictures_for(const Frame& frame);
  bool is_seen(const Frame& frame, PictureSet pictures);
  bool find_result(const Moment& moment, PictureSet pictures, bool is_seen);
  PictureSet make_pictures(const Moment& moment, PictureSet pictures);
  bool hand_over();
  void finish();
  void give_up(const Fault& fault);

  const std::unique_ptr<Source> source_;
  const bool has_truth_, lossless_, observes_;
  const SourceFormat format_;
  const Scene scene_;
  NextPlan plan_;  // the worker's, once it runs
  Mailbox& mailbox_;
  Taps& taps_;
  const RobotInput& robot_;
  Warnings warnings_;
  BadPictures bad_;
  StepTimer timer_;
  PassThrough pass_through_;
  Encoder encoder_;

  std::mutex mutex_;  // mount_, plan_reads_colour_, next_plan_, next_params_ and is_changed_
  std::optional<Pose> mount_;
  bool plan_reads_colour_;
  NextPlan next_plan_;
  StepParams next_params_;
  bool is_changed_ = true;

  LatestSlot<std::shared_ptr<Frame>> frames_;
  FramePool pool_;
  std::vector<double> packed_;
  /** The last frame that was run. */
  struct {
    int64_t seq = 0, at_us = 0;
  } last_;
  /** How many frames were run since something else is, and when the first of them was begun. */
  struct {
    int64_t frames = 0, from_us = 0;
  } since_change_;
  bool is_first_ = true;
  int64_t seen_us_ = 0;  // when the last frame was taken that could be decoded
  /** Whether captures are stamped elsewhere, as it was told last. The capture thread's. */
  struct {
    bool are_there = false;
    int64_t at_us = 0;
  } told_stamps_;

  std::atomic<bool> stopping_{false}, is_looked_at_{true};  // whether results are made of pictures
  std::atomic<int64_t> skipped_{0}, processed_{0};
  std::thread capture_thread_, worker_thread_;
};

}  // namespace vedette
