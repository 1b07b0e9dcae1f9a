// An engine's threads over a camera that gives what a test says, when the test says so.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "check.h"
#include "runner.h"

namespace vedette::test {

constexpr int WIDTH = 64, HEIGHT = 48;

/**
 * What a camera by hand and its test share. jpeg: given as it is, as a camera's own; empty: raw pictures. apart_us:
 * between two pictures, by their times; 0: as they come.
 */
struct Shutter {
  std::mutex mutex;
  std::condition_variable changed;
  int64_t waiting = 0;  // pictures that may be taken
  bool is_colour_wanted = false;
  int64_t seq = 0;
  std::vector<uint8_t> jpeg;
  int64_t apart_us = 0;
  const int64_t from_us = monotonic_us();

  void release(int64_t pictures) {
    const std::lock_guard<std::mutex> lock(mutex);
    waiting += pictures;
    changed.notify_all();
  }
};

/** Raw pictures of one level, red where somebody wants colour; or the JPEG that it was given. */
class CameraByHand : public Source {
 public:
  explicit CameraByHand(Shutter& shutter) : shutter_(shutter) {}

  SourceFormat open() override {
    SourceFormat format;
    format.width = WIDTH;
    format.height = HEIGHT;
    format.fps = 100;
    format.pixel_format = "yuyv";
    return format;
  }

  Next next(Frame& frame, Fault&, const std::atomic<bool>& stopping) override {
    std::unique_lock<std::mutex> lock(shutter_.mutex);
    while (shutter_.waiting == 0) {
      if (stopping) return Next::stopped;
      shutter_.changed.wait_for(lock, std::chrono::milliseconds(5));
    }
    shutter_.waiting--;
    frame.seq = ++shutter_.seq;
    frame.captured_us = shutter_.apart_us == 0 ? monotonic_us() : shutter_.from_us + frame.seq * shutter_.apart_us;
    frame.missed = 0;
    frame.encoded = shutter_.jpeg;
    frame.is_whole_jpeg = !frame.encoded.empty();
    frame.width = WIDTH;
    frame.height = HEIGHT;
    if (frame.is_whole_jpeg) return Next::frame;
    frame.gray.resize(WIDTH, HEIGHT);
    std::fill(frame.gray.pixels.begin(), frame.gray.pixels.end(), static_cast<uint8_t>(100));
    frame.is_colour_left_out = !shutter_.is_colour_wanted;
    frame.chroma.clear();
    if (!shutter_.is_colour_wanted) return Next::frame;
    frame.chroma.resize(WIDTH / 2, HEIGHT / 2, 1, 1);
    std::fill(frame.chroma.cb.begin(), frame.chroma.cb.end(), static_cast<uint8_t>(90));
    std::fill(frame.chroma.cr.begin(), frame.chroma.cr.end(), static_cast<uint8_t>(220));
    return Next::frame;
  }

  void want_colour(bool wanted) override {
    const std::lock_guard<std::mutex> lock(shutter_.mutex);
    shutter_.is_colour_wanted = wanted;
  }

 private:
  Shutter& shutter_;
};

inline PlanDocument::Step step(const std::string& id, const std::string& type, std::vector<int> inputs,
                               std::vector<int> outputs,
                               const std::vector<std::pair<std::string, Param>>& params = {}) {
  PlanDocument::Step out{id, type, std::move(inputs), std::move(outputs), Params(id)};
  for (const auto& [name, value] : params) out.params.set(name, value);
  return out;
}

/** How bright the picture is, and its colours, with nothing drawn onto them, as a picture `drawn`. */
inline PlanDocument drawing_plan() {
  PlanDocument plan;
  plan.slots = 4;
  plan.steps.push_back(step("source", "source", {}, {0, 1}));
  plan.steps.push_back(step("light", "exposure-stats", {0}, {2}, {{"dark_level", 5.0}, {"bright_level", 250.0}}));
  plan.steps.push_back(step("drawn", "overlay", {1, -1, -1, -1, -1, -1, -1}, {3}, {{"scale", 1.0}, {"labels", true}}));
  plan.outputs = {{"light", 2}, {"drawn", 3}};
  return plan;
}

/** The same without the picture. */
inline PlanDocument measuring_plan() {
  PlanDocument plan;
  plan.slots = 2;
  plan.steps.push_back(step("source", "source", {}, {0, -1}));
  plan.steps.push_back(step("light", "exposure-stats", {0}, {1}, {{"dark_level", 5.0}, {"bright_level", 250.0}}));
  plan.outputs = {{"light", 1}};
  return plan;
}

/** Looks for nothing. */
inline PlanDocument empty_plan() {
  PlanDocument plan;
  plan.slots = 1;
  plan.steps.push_back(step("source", "source", {}, {0, -1}));
  return plan;
}

inline PictureKind kind_of(const std::string& output, const std::string& key = "a", int max_width = 0) {
  PictureKind kind;
  kind.key = key;
  kind.output = output;
  kind.max_width = max_width;
  return kind;
}

/** A robot that counts how often it was asked for its heading. */
class RobotByHand : public RobotInput {
 public:
  std::optional<RobotYaw> yaw_at(int64_t at_us) const override {
    asked++;
    return RobotInput::yaw_at(at_us);
  }
  mutable std::atomic<int> asked{0};
};

/** An engine as the addon has one, without JavaScript. What it makes is kept until it is asked for. */
class EngineByHand {
 public:
  EngineByHand() = default;
  ~EngineByHand() {
    close();
    viewers_.end();
  }

  void open(const PlanDocument& plan) {
    Task task;
    task.source = std::make_unique<CameraByHand>(shutter);
    task.plan = plan;
    task.plan_number = 1;
    runner_ = std::make_unique<Runner>(std::move(task), mailbox_, taps_, viewers_, robot);
    taps_.recording.reopened(runner_->format());
    runner_->start();
  }
  void close() { runner_.reset(); }

  Runner& runner() { return *runner_; }
  Viewers& viewers() { return viewers_; }

  void set_plan(const PlanDocument& document, int64_t number) {
    runner_->set_plan({std::make_unique<Plan>(document, runner_->scene()), number});
  }

  /** Takes one picture after the other until what came is as wanted. Fails after so many that it never will be. */
  template <typename IsWanted>
  Mailbox::Contents until(const char* what, IsWanted is_wanted) {
    for (int pictures = 0; pictures < 2000; pictures++) {
      shutter.release(1);
      Mailbox::Contents contents;
      std::unique_lock<std::mutex> lock(mutex_);
      woken_.wait_for(lock, std::chrono::seconds(5), [this] { return is_full_; });
      is_full_ = false;
      lock.unlock();
      mailbox_.take(contents);
      if (is_wanted(contents)) return contents;
    }
    throw std::runtime_error(std::string("never came: ") + what);
  }

  Shutter shutter;
  RobotByHand robot;

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_full_ = false;
  Mailbox mailbox_{[this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_full_ = true;
    woken_.notify_all();
  }};
  Taps taps_;
  Viewers viewers_{[](int64_t, const char*) {}};
  std::unique_ptr<Runner> runner_;
};

}  // namespace vedette::test
