// The way from an engine's threads to JavaScript.
#pragma once

#include <napi.h>

#include <memory>

#include "mailbox.h"
#include "robot_input.h"
#include "taps.h"
#include "viewers.h"

namespace vedette {

/**
 * What the threads of a Stream hand to JavaScript, and those who outlive its cameras. Outlives its Stream until the
 * last thread and the last call that is on its way are done with it.
 */
struct Outlet {
  static void deliver(Napi::Env env, Napi::Function on_event, Outlet* outlet, void*);
  using Waker = Napi::TypedThreadSafeFunction<Outlet, void, deliver>;

  /** on_event: see Stream. */
  static std::shared_ptr<Outlet> make(Napi::Env env, Napi::Function on_event);

  Waker waker;
  Mailbox mailbox{[this] { waker.NonBlockingCall(); }};
  Taps taps;
  RobotInput robot;
  const std::shared_ptr<SourceClock> source_clock = std::make_shared<SourceClock>();
  Mailbox::Contents contents;
  Viewers viewers{[this](int64_t id, const char* why) { mailbox.post_left({id, why}); }};

 private:
  void empty_mailbox(Napi::Env env, Napi::Function on_event);
};

}  // namespace vedette
