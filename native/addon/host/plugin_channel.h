// The work of a step that the program of a plugin does: one request at a time, in memory that both see, woken by a few
// bytes on a socket, and a limit to the waiting. Nothing of it goes through JavaScript.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host_channel.h"
#include "plugin_memory.h"

namespace vedette {

/** The kinds of messages: a head of 16 bytes, then so many bytes of text. */
enum class PluginMessage : uint32_t { start = 0, request = 1, params = 2, ready = 16, answer = 17, failure = 18 };

/**
 * The head of a message. number: of the request that is asked or answered; of ready: 1, when the program looks at
 * pictures where they lie.
 */
struct PluginMessageHead {
  uint32_t kind = 0, bytes = 0;
  uint64_t number = 0;
};
static_assert(sizeof(PluginMessageHead) == 16);

/**
 * Between a step of a plan, which asks on the stream's thread, and a process. Processes come and go, each with memory
 * and a socket of its own; the channel stays. Who keeps the processes finds it by its number, and so does the step.
 * What a process says is checked; one that breaks the rules is not listened to any more.
 */
class PluginChannel {
 public:
  explicit PluginChannel(PluginLayout layout) : layout_(std::move(layout)) {}

  /** A channel without a process. It can be found until it is closed. */
  static int open(PluginLayout layout);
  /** Throws Fault `engine.bad_task` when there is none of that number. */
  static std::shared_ptr<PluginChannel> find(int number);
  /** It is not found any more; callers that wait are told that it is gone. */
  static void close(int number);

  const PluginLayout& layout() const { return layout_; }

  // The keeper's side.

  /** For another process, which is to say that it is ready. Throws Fault `engine.bad_task`. */
  PluginSeat::Theirs seat();
  /** Before anything is asked. text: JSON. */
  void start(const std::string& text);
  /** There is no process any more. */
  void vacate(const std::string& why);

  /** preparing: it has not said that it is ready. working: it has. gone: there is none, or it is not listened to. */
  enum class State { preparing, working, gone };
  /** What is the case. ready: what it said when it was, JSON. why: of one that is gone. */
  struct Look {
    State state = State::gone;
    bool is_busy = false;
    int64_t answered = 0;
    int users = 0;
    std::string ready, why;
  };
  Look look();

  // The step's side, one thread at a time.

  void enter() { users_++; }
  void leave() { users_--; }
  /**
   * The seat of the process that can be asked now; nullptr: there is none, and `outcome` says why. As long as it is
   * held its memory stays.
   */
  std::shared_ptr<PluginSeat> ready_seat(HostOutcome& outcome);
  /** Tells its parameters before the next request. text: JSON. */
  void tell(const std::shared_ptr<PluginSeat>& seat, const std::string& text);
  /** The number that the next request has. */
  uint64_t next_number() const { return number_ + 1; }
  /** Waits for the answer to the request that stands in the memory; at most so long. */
  HostOutcome ask(const std::shared_ptr<PluginSeat>& seat, int64_t limit_us);
  /** Whether the program of that seat looks at pictures where they lie, in the picture memory. */
  bool is_shown(const std::shared_ptr<PluginSeat>& seat) const;
  /** Of what failed, or why there is no process. */
  std::string why() const;

 private:
  void break_off(const std::string& why);
  void send(const PluginSeat& seat, PluginMessage kind, uint64_t number, const std::string& text = {});
  void take();
  void take_message(const PluginMessageHead& head, std::string text);

  mutable std::mutex mutex_;
  const PluginLayout layout_;
  std::shared_ptr<PluginSeat> seat_;
  State state_ = State::gone;
  bool is_closed_ = false, is_busy_ = false, is_asking_ = false, has_failed_ = false, is_shown_ = false;
  std::atomic<uint64_t> number_{0};
  int64_t answered_ = 0;
  std::vector<uint8_t> inbox_;
  std::string ready_, failure_, reason_;
  std::atomic<int> users_{0};
};

}  // namespace vedette
