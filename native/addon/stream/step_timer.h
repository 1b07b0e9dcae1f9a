// The time that the steps of a picture take: when it is too long, and what is told to those who fear that a worker
// stands still.
#pragma once

#include <atomic>
#include <cstdint>

#include "clock.h"

namespace vedette {

/** What a worker does: whether it has a picture in work, and a number that grows with every step that it finishes. */
struct Pulse {
  bool is_busy = false;
  int64_t steps_done = 0;
};

/** Of one worker, which runs the steps; anybody may ask for its pulse. */
class StepTimer {
 public:
  /** is_patient: no picture takes too long. Where none may be skipped, the caller has time. */
  explicit StepTimer(bool is_patient) : is_patient_(is_patient) {}
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;

  /** Calls `steps`, which runs those of one picture, with what it is to ask after each: Plan::run's is_too_late. */
  template <typename Steps>
  void run(Steps steps) {
    const int64_t cpu_started_us = process_cpu_us();
    const Busy busy(is_busy_);  // not while a result waits for its reader: that is no work
    steps([this, cpu_started_us](int64_t took_us) { return is_too_late(took_us, cpu_started_us); });
  }

  Pulse pulse() const { return {is_busy_, steps_done_}; }

 private:
  // Both in wall and in CPU time of the engine. The largest pictures that cameras give (4096x2160) take a quarter of
  // it; what took longer shows a robot where it was. On a machine that others keep busy the wall time alone says
  // nothing of the picture.
  static constexpr int64_t PICTURE_LIMIT_US = 3'000'000;

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

  /** A picture that takes too long costs itself. */
  bool is_too_late(int64_t took_us, int64_t cpu_started_us) {
    steps_done_++;
    return took_us > PICTURE_LIMIT_US && !is_patient_ && process_cpu_us() - cpu_started_us > PICTURE_LIMIT_US;
  }

  const bool is_patient_;
  std::atomic<bool> is_busy_{false};
  std::atomic<int64_t> steps_done_{0};
};

}  // namespace vedette
