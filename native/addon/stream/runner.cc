#include "runner.h"

#include <pthread.h>
#include <time.h>

#include <utility>

#include "pack.h"

namespace vedette {

namespace {

// Also of the threads that libapriltag starts from there, which take the name over: native/engine/threads.ts counts them together.
constexpr const char* WORKER_NAME = "worker";

// Both in wall and in CPU time of the engine. The largest pictures that cameras give (4096x2160) take a quarter of it; what took longer shows a robot where
// it was. On a machine that others keep busy the wall time alone says nothing of the picture.
constexpr int64_t PICTURE_LIMIT_US = 3'000'000;

int64_t cpu_us(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

/** CPU time of the calling thread. Threads that libapriltag starts when asked for more than one are not in it. */
int64_t thread_cpu_us() { return cpu_us(CLOCK_THREAD_CPUTIME_ID); }

int64_t process_cpu_us() { return cpu_us(CLOCK_PROCESS_CPUTIME_ID); }

/** Named before it does anything, so that whatever it starts is called the same. */
template <typename Body>
std::thread named_thread(const char* name, Body body) {
  return std::thread([name, body] {
    pthread_setname_np(pthread_self(), name);
    body();
  });
}

Fault unexpected(const std::string& where, const char* what) { return {"engine.failed", where + " failed unexpectedly: " + what}; }

std::string size_text(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

Fault other_calibration(const Intrinsics& camera, const SourceFormat& format) {
  return {"camera.intrinsics_mismatch", "the calibration is for pictures of " + size_text(camera.width, camera.height) + ", the camera gives " +
                                            size_text(format.width, format.height) + ": no poses are solved; calibrate in this video mode or choose the other"};
}

/** True for as long as it is there, however that ends. */
class Busy {
 public:
  explicit Busy(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<bool>& flag_;
};

/** Of a source none of whose pictures can be used, last of all one with this fault. */
Fault fault_of_all(size_t pictures, const Fault& last) {
  if (pictures <= 1) return {"camera.unreadable", last.detail};
  return {"camera.unreadable", "none of the " + std::to_string(pictures) + " pictures can be used; the last: " + last.detail};
}

}  // namespace

Runner::Runner(Task task, Mailbox& mailbox, Taps& taps, Viewers& viewers)
    : source_(std::move(task.source)),
      has_truth_(task.has_truth),
      lossless_(task.lossless),
      format_(source_->open()),
      scene_{format_.intrinsics, std::move(task.map)},
      plan_{std::make_unique<Plan>(task.plan, scene_), task.plan_number},
      mailbox_(mailbox),
      taps_(taps),
      warnings_(mailbox),
      pass_through_(viewers),
      encoder_(mailbox, viewers, warnings_),
      mount_(task.mount) {}

Runner::~Runner() {
  stopping_ = true;
  frames_.close();
  mailbox_.interrupt();
  if (capture_thread_.joinable()) capture_thread_.join();
  if (worker_thread_.joinable()) worker_thread_.join();
}

void Runner::start() {
  for (const Fault& warning : format_.warnings) warnings_.add(warning);
  const Intrinsics& camera = format_.intrinsics;
  if (camera.known && (camera.width != format_.width || camera.height != format_.height)) warnings_.add(other_calibration(camera, format_));
  worker_thread_ = named_thread(WORKER_NAME, [this] { work(); });
  capture_thread_ = named_thread("capture", [this] { capture(); });
}

void Runner::set_mount(const Pose& mount) {
  const std::lock_guard<std::mutex> lock(mutex_);
  mount_ = mount;
}

void Runner::set_plan(NextPlan next) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(next_plan_, next);  // one that nobody ran is dropped
  next_params_.clear();
}

void Runner::set_params(StepParams params) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& each : params) next_params_.push_back(std::move(each));
}

void Runner::capture() {
  try {
    capture_frames();
  } catch (const Fault& fault) {
    give_up(fault);
  } catch (const std::exception& error) {
    give_up(unexpected("capturing", error.what()));
  }
}

void Runner::capture_frames() {
  while (!stopping_) {
    warnings_.tell_due();
    std::shared_ptr<Frame> frame = free_frame();
    Fault fault;
    switch (source_->next(*frame, fault, stopping_)) {
      case Next::frame:
        skipped_ += frame->missed;
        taps_.captured(frame);
        if (lossless_)
          frames_.put_in_turn(frame);
        else if (frames_.put(frame))
          skipped_++;
        pass_through_.show(frame);
        break;
      case Next::corrupt:
        warn_of_picture(fault);
        break;
      case Next::ended:
        frames_.finish();
        return;
      case Next::stopped:
        return;
    }
  }
}

/** A frame that only the pool holds. The fence makes its last reader's work happen before ours. */
std::shared_ptr<Frame> Runner::free_frame() {
  for (const auto& frame : pool_) {
    if (frame.use_count() != 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);
    return frame;
  }
  pool_.push_back(std::make_shared<Frame>());
  return pool_.back();
}

void Runner::work() {
  try {
    while (const auto frame = frames_.take()) process(*frame);
    if (!stopping_) finish();
  } catch (const std::exception& error) {
    give_up(unexpected("the pipeline", error.what()));
  }
  taps_.no_result(nullptr);
}

/** Between two pictures. */
void Runner::take_changes() {
  NextPlan plan;
  StepParams params;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(plan, next_plan_);
    std::swap(params, next_params_);
  }
  if (plan.plan) plan_ = std::move(plan);
  for (const auto& [step, values] : params) {
    try {
      plan_.plan->set_params(step, values);
    } catch (const Fault& fault) {
      warnings_.add(fault);
    }
  }
}

void Runner::process(const std::shared_ptr<Frame>& frame) {
  take_changes();
  const int64_t started_us = monotonic_us(), cpu_started_us = thread_cpu_us();
  Pose mount;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    mount = mount_;
  }
  try {
    run_plan(*frame, mount);
  } catch (const Fault& fault) {
    fail_picture(*frame, fault);
    return taps_.no_result(frame.get());
  }
  bad_in_a_row_ = 0;
  check_size(*frame);
  pack(*frame, started_us, cpu_started_us);
  taps_.result(packed_);
  if (!lossless_)
    hand_over();
  else if (!mailbox_.post_result_in_turn(packed_))
    return;
  if (std::exchange(is_first_, false)) mailbox_.post_notice({"first-frame", {}});
  processed_++;
  taps_.processed(frame);
  encoder_.offer(frame, *plan_.plan);
}

/**
 * The thread that sends the result has just been woken, most likely on this processor, where it would wait until the next picture is done or the kernel
 * takes this thread off it: milliseconds on a busy machine. It needs a third of one, so it goes first.
 */
void Runner::hand_over() {
  mailbox_.post_result(packed_);
  std::this_thread::yield();
}

void Runner::pack(const Frame& frame, int64_t started_us, int64_t cpu_started_us) {
  packed_.assign({static_cast<double>(frame.seq), static_cast<double>(frame.captured_us), static_cast<double>(started_us), 0, static_cast<double>(frame.width),
                  static_cast<double>(frame.height), static_cast<double>(skipped_), 0, static_cast<double>(plan_.number)});
  packed_.insert(packed_.end(), plan_.plan->stage_us().begin(), plan_.plan->stage_us().end());
  for (const Value* value : plan_.plan->outputs()) pack_rows(*value, packed_);
  if (has_truth_) pack_truth(frame, packed_);
  packed_[3] = static_cast<double>(monotonic_us());
  packed_[7] = static_cast<double>(thread_cpu_us() - cpu_started_us);
}

/** A picture that takes too long costs itself. Not where none may be skipped: whoever asked for that has time. */
void Runner::run_plan(Frame& frame, const Pose& mount) {
  const int64_t cpu_started_us = process_cpu_us();
  const Busy busy(is_busy_);  // not while a result waits for its reader: that is no work
  plan_.plan->run({frame, mount}, [&](int64_t took_us) {
    steps_done_++;
    return took_us > PICTURE_LIMIT_US && !lossless_ && process_cpu_us() - cpu_started_us > PICTURE_LIMIT_US;
  });
}

/** Pictures from files may differ. Where they do, the calibration does not hold. */
void Runner::check_size(const Frame& frame) {
  if (frame.width == format_.width && frame.height == format_.height) return;
  const std::string which = frame.name.empty() ? "a picture" : frame.name;
  const std::string poses = format_.intrinsics.known ? ", so that no poses are solved from it" : "";
  warnings_.add({"picture.other_size", which + " has " + size_text(frame.width, frame.height) + " pixels, the first picture " +
                                           size_text(format_.width, format_.height) + poses + "; a stream needs pictures of one size"});
}

/** One picture is lost, the stream goes on. Any thread. */
void Runner::warn_of_picture(const Fault& fault) {
  warnings_.add(fault);
  const std::lock_guard<std::mutex> lock(mutex_);
  last_bad_ = fault;
}

/** The picture in work gives no result. Where none does, there is no camera: saying so is better than to go round in silence. */
void Runner::fail_picture(const Frame& frame, const Fault& fault) {
  skipped_++;
  const Fault named{fault.code, frame.name.empty() ? fault.detail : frame.name + ": " + fault.detail};
  warn_of_picture(named);
  if (fault.code == "picture.too_slow") return;  // the next one may take less, or the machine be less busy
  const size_t all = source_->pictures();
  if (++bad_in_a_row_ >= all && all > 0) give_up(fault_of_all(all, named));
}

/** The source has ended. Without a single result that is no success. */
void Runner::finish() {
  warnings_.tell_rest();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (processed_ == 0 && !last_bad_.code.empty()) return give_up(fault_of_all(source_->pictures(), last_bad_));
  mailbox_.post_notice({"ended", {}});
}

/** Ends both threads and says why, once. */
void Runner::give_up(const Fault& fault) {
  if (stopping_.exchange(true)) return;
  frames_.close();
  warnings_.tell_rest();
  mailbox_.post_notice({"lost", fault});
}

}  // namespace vedette
