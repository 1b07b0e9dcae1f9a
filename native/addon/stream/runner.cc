#include "runner.h"

#include <pthread.h>

#include <algorithm>

#include <utility>

#include "format_check.h"
#include "orientation.h"
#include "result.h"

namespace vedette {

namespace {

// Also of the threads that libapriltag starts from there, which take the name over: native/engine/threads.ts counts
// them together.
constexpr const char* WORKER_NAME = "worker";

// A camera counts as silent after 3 s (machines/stream/stall.ts), and is opened again: two pictures of which nothing
// comes, or slow ones, have room in that.
constexpr int64_t MAX_PAUSE_US = 1'000'000;

// Of pictures without viewers one is decoded as often: that they are broken is to be known before there are viewers.
constexpr int64_t MAX_UNSEEN_US = 1'000'000;

constexpr int64_t STAMPS_PAUSE_US = 1'000'000;

// Whose a result is, the process that controls everything knows by when it has seen that the engine runs something
// else, which may be after the first frame of that: milliseconds, and seldom 50 ms where everything computes
// (docs/decisions/0145-what-a-robot-sets-on-its-camera.md).
constexpr int64_t ALL_AFTER_CHANGE_US = 250'000;
constexpr int64_t ALL_AFTER_CHANGE = 2;  // of a camera that has fewer in that time

/** Named before it does anything, so that whatever it starts is called the same. */
template <typename Body>
std::thread named_thread(const char* name, Body body) {
  return std::thread([name, body] {
    pthread_setname_np(pthread_self(), name);
    body();
  });
}

Fault unexpected(const std::string& where, const char* what) {
  return {"engine.failed", where + " failed unexpectedly: " + what};
}

}  // namespace

Runner::Runner(Task task, Mailbox& mailbox, Taps& taps, Viewers& viewers, const RobotInput& robot)
    : source_(std::move(task.source)),
      has_truth_(task.has_truth),
      lossless_(task.lossless),
      observes_(task.observes),
      format_(source_->open()),
      scene_{format_.intrinsics, std::move(task.map)},
      plan_{std::make_unique<Plan>(task.plan, scene_), task.plan_number},
      mailbox_(mailbox),
      taps_(taps),
      robot_(robot),
      warnings_(mailbox),
      bad_(*source_, warnings_),
      timer_(task.lossless),
      pass_through_(viewers),
      encoder_(mailbox, viewers, warnings_),
      mount_(task.mount),
      plan_reads_colour_(plan_.plan->reads_colour()) {
  want_colour();
}

Runner::~Runner() {
  stopping_ = true;
  frames_.close();
  mailbox_.interrupt();
  if (capture_thread_.joinable()) capture_thread_.join();
  if (worker_thread_.joinable()) worker_thread_.join();
}

void Runner::start() {
  for (const Fault& warning : format_.warnings) warnings_.add(warning);
  if (const auto fault = other_calibration(format_)) warnings_.add(*fault);
  worker_thread_ = named_thread(WORKER_NAME, [this] { work(); });
  capture_thread_ = named_thread("capture", [this] { capture(); });
}

void Runner::set_mount(const std::optional<Pose>& mount) {
  const std::lock_guard<std::mutex> lock(mutex_);
  mount_ = mount;
}

void Runner::set_plan(NextPlan next) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(next_plan_, next);  // one that nobody ran is dropped
  next_params_.clear();
  is_changed_ = true;
  want_colour();
}

/** For the plan that runs, with the pictures of it that are watched, and for the one that is to. Under the mutex. */
void Runner::want_colour() {
  source_->want_colour(plan_reads_colour_ || (next_plan_.plan && next_plan_.plan->reads_colour()));
}

void Runner::set_params(StepParams params) {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_changed_ = true;
  for (auto& [step, values] : params) {
    const auto is_of_it = [&id = step](const auto& each) { return each.first == id; };
    const auto waiting = std::find_if(next_params_.begin(), next_params_.end(), is_of_it);
    if (waiting == next_params_.end()) next_params_.emplace_back(step, std::move(values));
    else waiting->second = std::move(values);  // all of them: the previous ones are of no use
  }
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
    std::shared_ptr<Frame> frame = pool_.free_frame();
    Fault fault;
    switch (source_->next(*frame, fault, stopping_)) {
      case Next::frame:
        skipped_ += frame->missed;
        forget_orientation(frame->encoded);  // whose pictures are to be turned has turned them: nobody else does
        tell_stamps(*frame);
        taps_.captured(frame);
        hand_on(frame);
        break;
      case Next::corrupt:
        bad_.warn(fault);
        break;
      case Next::ended:
        frames_.finish();
        return;
      case Next::stopped:
        return;
    }
  }
}

/**
 * To the worker first, whose poses are what a robot waits for; but to viewers where nothing is looked for, since the
 * work that a result makes slows the sending down.
 */
void Runner::hand_on(const std::shared_ptr<Frame>& frame) {
  const bool is_shown_first = !is_looked_at_;
  if (is_shown_first) pass_through_.show(frame);
  if (lossless_) frames_.put_in_turn(frame);
  else if (frames_.put(frame)) skipped_++;
  if (!is_shown_first) pass_through_.show(frame);
}

/** Once a second at most. */
void Runner::tell_stamps(const Frame& frame) {
  const int64_t now_us = monotonic_us();
  if (frame.is_stamped_there == told_stamps_.are_there || now_us - told_stamps_.at_us < STAMPS_PAUSE_US) return;
  told_stamps_ = {frame.is_stamped_there, now_us};
  mailbox_.post_notice({"stamped", {}, 1, frame.is_stamped_there ? "peer" : format_.timestamp_source});
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

/**
 * Between two pictures. A plan that reads colour waits for a picture that has it, the one after the next at the latest:
 * seen in grey, nothing would have any. Gives the plan that is run no more.
 */
NextPlan Runner::take_changes(const Frame& frame) {
  NextPlan plan;
  StepParams params;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (frame.is_colour_left_out && next_plan_.plan && next_plan_.plan->reads_colour()) return {};
    std::swap(plan, next_plan_);
    std::swap(params, next_params_);
    if (std::exchange(is_changed_, false)) since_change_ = {};
  }
  if (plan.plan) std::swap(plan_, plan);
  is_looked_at_ = plan_.plan->reads_picture();
  for (const auto& [step, values] : params) {
    try {
      plan_.plan->set_params(step, values);
    } catch (const Fault& fault) {
      warnings_.add(fault);
    }
  }
  return plan;
}

void Runner::process(const std::shared_ptr<Frame>& frame) {
  // ends when the result is on its way: to give its memory back takes milliseconds
  const NextPlan left = take_changes(*frame);
  const Started started;
  std::optional<Pose> mount;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    mount = mount_;
  }
  const std::shared_ptr<const LiveControls> live = robot_.live();
  bool is_too_full = false;
  const Moment moment{*frame, mount.value_or(Pose{}), &warnings_, live.get(), &robot_, &is_too_full};
  if (is_left_out(*frame, started.at_us, live->skip)) return leave_out(frame, moment);
  const PictureSet pictures = pictures_for(*frame);
  const bool seen = is_seen(*frame, pictures);
  if (!find_result(moment, pictures, seen)) return taps_.no_result(frame.get());
  last_ = {frame->seq, started.at_us};
  since_change_.frames++;
  if (const auto fault = other_size(*frame, format_)) warnings_.add(*fault);
  pack_result(*frame, *plan_.plan, {started, skipped_, plan_.number, has_truth_, is_too_full}, packed_);
  taps_.result(packed_);
  const SharedResult result = encoder_.wants_results() ? std::make_shared<const std::vector<double>>(packed_) : nullptr;
  if (observes_) append_observation(*plan_.plan, {scene_.intrinsics, mount, frame->exposure_us}, packed_);
  if (!hand_over()) return;
  if (std::exchange(is_first_, false)) mailbox_.post_notice({"first-frame", {}});
  processed_++;
  if (!seen) return;
  taps_.processed(frame);
  encoder_.offer(frame, *plan_.plan, make_pictures(moment, pictures), result);
}

/**
 * A robot wants fewer results. All for a moment when something else is run, and one now and then there must be, or the
 * camera would be taken for silent; and a replay without loss has all.
 */
bool Runner::is_left_out(const Frame& frame, int64_t now_us, int skip) {
  if (since_change_.frames == 0) since_change_.from_us = now_us;
  if (lossless_ || since_change_.frames < ALL_AFTER_CHANGE || now_us - since_change_.from_us < ALL_AFTER_CHANGE_US)
    return false;
  const int64_t since = frame.seq - last_.seq;
  return since > 0 && since <= skip && now_us - last_.at_us < MAX_PAUSE_US;
}

/**
 * Its result stays that of the one before; who watches or records the camera sees it all the same, but for those who
 * see what was found.
 */
void Runner::leave_out(const std::shared_ptr<Frame>& frame, const Moment& moment) {
  skipped_++;
  pictures_for(*frame);  // so that the next one that is run has colour, where that is watched
  try {
    if (!frame->is_whole_jpeg || encoder_.is_due(*frame, true)) {
      timer_.run([&](const auto&) { plan_.plan->read_picture(moment); });
      taps_.processed(frame);
      encoder_.offer_left_out(frame);
    }
  } catch (const Fault& fault) {
    warnings_.add(fault);
  }
  taps_.no_result(frame.get());
}

/** The pictures of it that are due. One for which there must be colour waits for a frame that has some. */
PictureSet Runner::pictures_for(const Frame& frame) {
  const Plan& plan = *plan_.plan;
  const Encoder::Wanted wanted = plan.pictures().empty() ? Encoder::Wanted{} : encoder_.wanted(plan, frame.captured_us);
  if (wanted.watched == 0) encoder_.forget_pictures();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    plan_reads_colour_ = plan.reads_colour() || (wanted.watched & plan.colour_pictures()) != 0;
    want_colour();
  }
  return frame.is_colour_left_out ? wanted.due & ~plan.colour_pictures() : wanted.due;
}

/** A camera's own JPEG is shown and recorded as it came: where nothing is looked for in it, it need not be decoded. */
bool Runner::is_seen(const Frame& frame, PictureSet pictures) {
  if (!frame.is_whole_jpeg || lossless_ || pictures != 0 || plan_.plan->reads_picture()) return true;
  return frame.captured_us - seen_us_ >= MAX_UNSEEN_US || encoder_.is_due(frame, false);
}

/** False: the picture gives none. */
bool Runner::find_result(const Moment& moment, PictureSet pictures, bool is_seen) {
  try {
    timer_.run([&](const auto& is_too_late) { plan_.plan->run(moment, pictures, is_too_late, is_seen); });
  } catch (const Fault& fault) {
    skipped_++;
    if (const auto end = bad_.had_none(moment.frame, fault)) give_up(*end);
    return false;
  }
  if (!is_seen) return true;
  bad_.had_result();
  seen_us_ = moment.frame.captured_us;
  return true;
}

/**
 * The thread that sends the result has just been woken, most likely on this processor, where it would wait until the
 * next picture is done or the kernel takes this thread off it: milliseconds on a busy machine. It needs a third of one,
 * so it goes first. False: the runner ends, and nobody waits for it.
 */
bool Runner::hand_over() {
  if (lossless_) return mailbox_.post_result_in_turn(packed_);
  mailbox_.post_result(packed_);
  std::this_thread::yield();
  return true;
}

/**
 * The result is out already, so that it never waits for those who watch. Returns those that were made: what goes wrong
 * costs the pictures of this frame.
 */
PictureSet Runner::make_pictures(const Moment& moment, PictureSet pictures) {
  if (pictures == 0) return 0;
  try {
    timer_.run([&](const auto& is_too_late) { plan_.plan->make_pictures(moment, pictures, is_too_late); });
    return pictures;
  } catch (const Fault& fault) {
    warnings_.add(fault);
    return 0;
  }
}

/** The source has ended. Without a single result that is no success. */
void Runner::finish() {
  warnings_.tell_rest();
  const auto fault = processed_ == 0 ? bad_.fault_of_end() : std::nullopt;
  if (fault) return give_up(*fault);
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
