#include "host_binding.h"

#include <atomic>
#include <memory>
#include <string>

#include "heap_guard.h"
#include "host_channel.h"
#include "plain_stacks.h"
#include "promised_work.h"

namespace vedette {

namespace {

/** Of a worker: from attach() until its JavaScript ends, however that comes about. */
class Seat {
 public:
  static void call(Napi::Env env, Napi::Function run, Seat* seat, void*) {
    if (!env) return;  // and no seat any more
    // Not through C++: what is stopped for want of memory, or ended, leaves nothing that could be made an exception of.
    napi_value argument = Napi::Number::New(env, static_cast<double>(seat->bytes_));
    napi_call_function(env, env.Undefined(), run, 1, &argument, nullptr);
  }
  using Waker = Napi::TypedThreadSafeFunction<Seat, void, call>;

  /** Owned by the environment. */
  static void take(Napi::Env env, const std::shared_ptr<HostChannel>& channel, const HostNeeds& needs,
                   Napi::Function run) {
    auto seat = std::unique_ptr<Seat>(new Seat(channel));
    seat->waker_ = Waker::New(env, run, "vedette host", 0, 1, seat.get());
    try {
      channel->attach(needs, [seat = seat.get()](size_t bytes) { seat->wake(bytes); });
    } catch (...) {
      seat->waker_.Release();
      throw;
    }
    napi_add_env_cleanup_hook(env, end, seat.release());
  }

 private:
  explicit Seat(const std::shared_ptr<HostChannel>& channel)
      : channel_(channel), guard_([&full = *channel] { full.exhaust(); }) {}

  /** From then on no thread calls the waker, which is about to go. */
  static void end(void* data) {
    const std::unique_ptr<Seat> seat(static_cast<Seat*>(data));
    seat->channel_->detach();
  }

  void wake(size_t bytes) {
    bytes_ = bytes;
    waker_.NonBlockingCall();
  }

  const std::shared_ptr<HostChannel> channel_;
  const HeapGuard guard_;
  Waker waker_;
  std::atomic<size_t> bytes_{0};
};

template <typename Body>
auto faults_thrown(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Fault& fault) {
    throw to_error(env, fault);
  } catch (const std::bad_alloc&) {
    throw to_error(env, {"engine.bad_task", "there is no memory for what its worker needs"});
  }
}

int number_of(const Napi::Value& value) { return value.As<Napi::Number>().Int32Value(); }

/** Memory of the channel, which stays as long as anybody has it. */
Napi::ArrayBuffer shown(Napi::Env env, const std::shared_ptr<HostRoom>& room) {
  const auto let_go = [](Napi::Env, void*, std::shared_ptr<HostRoom>* held) { delete held; };
  return Napi::ArrayBuffer::New(env, room->data(), room->size(), let_go, new std::shared_ptr<HostRoom>(room));
}

HostNeeds needs_of(const Napi::Object& needs) {
  HostNeeds out;
  out.input_bytes = static_cast<size_t>(needs.Get("input_bytes").As<Napi::Number>().Int64Value());
  out.output_bytes = static_cast<size_t>(needs.Get("output_bytes").As<Napi::Number>().Int64Value());
  const auto facts = needs.Get("facts").As<Napi::Array>();
  for (uint32_t i = 0; i < facts.Length(); i++) out.facts.push_back(facts.Get(i).As<Napi::Number>());
  return out;
}

Napi::Value open(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), HostChannel::open()); }

void close(const Napi::CallbackInfo& info) { HostChannel::close(number_of(info[0])); }

void set_reason(const Napi::CallbackInfo& info) {
  faults_thrown(info.Env(), [&] { HostChannel::find(number_of(info[0]))->set_reason(info[1].As<Napi::String>()); });
}

Napi::Value pulse(const Napi::CallbackInfo& info) {
  return faults_thrown(info.Env(), [&] {
    const HostChannel::Pulse pulse = HostChannel::find(number_of(info[0]))->pulse();
    Napi::Object out = Napi::Object::New(info.Env());
    out["is_busy"] = pulse.is_busy;
    out["steps_done"] = static_cast<double>(pulse.answered);
    out["is_exhausted"] = pulse.is_exhausted;
    out["users"] = pulse.users;
    return out;
  });
}

/** number, needs, run: called with the bytes of each request. Gives the two rooms, and how it is answered. */
Napi::Value attach(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return faults_thrown(env, [&] {
    const std::shared_ptr<HostChannel> channel = HostChannel::find(number_of(info[0]));
    Seat::take(env, channel, needs_of(info[1].As<Napi::Object>()), info[2].As<Napi::Function>());
    Napi::Object out = Napi::Object::New(env);
    out["input"] = shown(env, channel->input_room());
    out["output"] = shown(env, channel->output_room());
    out["answer"] = Napi::Function::New(env, [channel](const Napi::CallbackInfo& call) {
      channel->answer(static_cast<size_t>(call[0].As<Napi::Number>().Int64Value()));
    });
    out["fail"] = Napi::Function::New(
        env, [channel](const Napi::CallbackInfo& call) { channel->fail(call[0].As<Napi::String>()); });
    return out;
  });
}

}  // namespace

void add_hosts(Napi::Env env, Napi::Object exports) {
  Napi::Object hosts = Napi::Object::New(env);
  hosts["open"] = Napi::Function::New(env, open, "open");
  hosts["close"] = Napi::Function::New(env, close, "close");
  hosts["setReason"] = Napi::Function::New(env, set_reason, "setReason");
  hosts["pulse"] = Napi::Function::New(env, pulse, "pulse");
  hosts["attach"] = Napi::Function::New(env, attach, "attach");
  hosts["keepStacksPlain"] = Napi::Function::New(
      env, [](const Napi::CallbackInfo&) { keep_stacks_plain(); }, "keepStacksPlain");
  exports["hosts"] = hosts;
}

}  // namespace vedette
