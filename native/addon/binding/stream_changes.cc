#include "stream_changes.h"

#include <pthread.h>

#include <utility>

#include "describe.h"
#include "stream_class.h"

namespace vedette {

namespace {

/**
 * While the calling thread, one of Node's pool, makes a plan it has this name: the service, which waits for the plan,
 * looks at what that thread does (native/engine/threads.ts).
 */
class Maker {
 public:
  Maker() {
    pthread_getname_np(pthread_self(), before_, sizeof before_);
    pthread_setname_np(pthread_self(), "maker");
  }
  ~Maker() { pthread_setname_np(pthread_self(), before_); }
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

 private:
  char before_[16] = "";
};

}  // namespace

CameraChange::CameraChange(Stream& stream, std::optional<Task> task)
    : PromisedWork(stream.Env(), "opening failed unexpectedly"),
      stream_(stream),
      keeps_alive_(Napi::Persistent(stream.Value())),
      outlet_(stream.outlet()),
      task_(std::move(task)),
      plan_number_(task_ ? task_->plan_number : 0),
      before_(stream.release_runner()) {}

void CameraChange::work() {
  before_.reset();
  outlet_->mailbox.clear();
  if (task_)
    after_ =
        std::make_unique<Runner>(std::move(*task_), outlet_->mailbox, outlet_->taps, outlet_->viewers, outlet_->robot);
}

Napi::Value CameraChange::given() {
  if (!after_) return Env().Undefined();
  try {
    stream_.adopt(std::move(after_));
  } catch (...) {  // no thread can be started
    stream_.release_runner().reset();
    throw;
  }
  Napi::Object opened = describe(Env(), stream_.runner());
  opened["plan"] = static_cast<double>(plan_number_);
  return opened;
}

PlanChange::PlanChange(Stream& stream, PlanDocument document, int64_t number)
    : PromisedWork(stream.Env(), "the pipeline could not be made"),
      stream_(stream),
      keeps_alive_(Napi::Persistent(stream.Value())),
      opening_(stream.opening()),
      scene_(stream.runner().scene()),
      document_(std::move(document)),
      next_{nullptr, number} {}

void PlanChange::work() {
  const Maker maker;
  next_.plan = std::make_unique<Plan>(document_, scene_);
}

Napi::Value PlanChange::given() {
  if (!stream_.is_open(opening_)) throw Fault{"engine.bad_task", "the camera was closed before the pipeline was made"};
  const auto number = static_cast<double>(next_.number);
  if (next_.number > 0) stream_.run_from_now_on(std::move(next_));
  else stream_.keep_tried(std::move(next_.plan));
  return Napi::Number::New(Env(), number);
}

}  // namespace vedette
