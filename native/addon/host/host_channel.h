// The work of a step that JavaScript does: one request at a time, in memory that both sides see, and a limit to the
// waiting.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "source.h"

namespace vedette {

/** Bytes that stay where they are, on a boundary of 64, all 0 to begin with. */
class HostRoom {
 public:
  explicit HostRoom(size_t bytes);
  uint8_t* data() { return data_.get(); }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(uint8_t* data) const;
  };
  size_t size_;
  std::unique_ptr<uint8_t, Free> data_;
};

/**
 * What a worker needs, as it says when it is ready: most bytes of a request and of an answer, and numbers that the step
 * reads when it is made.
 */
struct HostNeeds {
  size_t input_bytes = 0, output_bytes = 0;
  std::vector<double> facts;

  bool operator==(const HostNeeds& other) const {
    return input_bytes == other.input_bytes && output_bytes == other.output_bytes && facts == other.facts;
  }
};

/** late: no answer in time, and the worker is still at it. gone: there is no worker. */
enum class HostOutcome { done, failed, late, gone };

/** bytes: of an answer that is done. */
struct HostAnswer {
  HostOutcome outcome = HostOutcome::gone;
  size_t bytes = 0;
};

/**
 * Between a step of a plan, which asks on the stream's thread, and a worker of JavaScript, which answers on its own.
 * Workers come and go, the channel and its two rooms stay. Who keeps the workers finds it by its number, and so does
 * the step.
 */
class HostChannel {
 public:
  /** A channel without a worker. It can be found until it is closed. */
  static int open();
  /** Throws Fault `engine.bad_task` when there is none of that number. */
  static std::shared_ptr<HostChannel> find(int number);
  /** It is not found any more; callers that wait are told that it is gone. Nothing happens if it is closed already. */
  static void close(int number);

  // The worker's side.

  /**
   * Takes requests from now on. wake: called on the asker's thread, with the bytes of a request that stands in the
   * input. The first worker decides what the rooms are like; throws Fault `engine.bad_task` when this one needs others,
   * more than may be, or there is a worker already.
   */
  void attach(const HostNeeds& needs, std::function<void(size_t)> wake);
  /** After it nothing of this worker touches the rooms. */
  void detach();
  std::shared_ptr<HostRoom> input_room() const { return input_; }
  std::shared_ptr<HostRoom> output_room() const { return output_; }
  /** Of the request that it was woken for. More bytes than there is room for are a failure. */
  void answer(size_t bytes);
  void fail(const std::string& why);
  /** It has no memory left, and does nothing any more. From within the memory's management: nothing is locked. */
  void exhaust() { is_exhausted_ = true; }

  // The keeper's side.

  /**
   * users: steps that have it. A request is in work while is_busy; answered grows with each one that is not any more.
   */
  struct Pulse {
    bool is_busy = false, is_exhausted = false;
    int64_t answered = 0;
    int users = 0;
  };
  Pulse pulse() const;
  /** Why there is no worker. */
  void set_reason(const std::string& why);

  // The step's side, one thread at a time.

  void enter() { users_++; }
  void leave() { users_--; }
  /** Of the latest worker. */
  const std::vector<double>& facts() const { return needs_.facts; }
  uint8_t* input() { return input_->data(); }
  size_t input_bytes() const { return input_->size(); }
  const uint8_t* output() const { return output_->data(); }
  /** done: the input may be written to, and ask() be called. Else what keeps it from that. */
  HostOutcome readiness() const;
  /**
   * Waits for the answer to a request of so many bytes, which stands in the input; at most so long. What is done lies
   * in the output until the next one.
   */
  HostAnswer ask(size_t bytes, int64_t limit_us);
  /** Of what failed, or why there is no worker. */
  std::string why() const;

 private:
  HostOutcome readiness_locked() const;
  void settle(HostOutcome outcome, size_t bytes);

  mutable std::mutex mutex_;
  std::condition_variable answered_cv_;
  HostNeeds needs_;
  std::shared_ptr<HostRoom> input_, output_;
  std::function<void(size_t)> wake_;  // empty: there is no worker
  bool is_busy_ = false, is_closed_ = false;
  int64_t answered_ = 0;
  HostAnswer latest_;
  std::string failure_, reason_;
  std::atomic<bool> is_exhausted_{false};
  std::atomic<int> users_{0};
};

}  // namespace vedette
