#include "control_work.h"

#include <functional>
#include <string>
#include <utility>

#include "v4l2_describe.h"

namespace vedette {
namespace {

/** On a thread of the pool. The promise gets the text that the body makes. */
class ControlWork : public Napi::AsyncWorker {
 public:
  using Body = std::function<std::string(CameraControls*)>;

  static Napi::Promise start(Napi::Env env, std::shared_ptr<CameraControls> controls, Body body) {
    auto* work = new ControlWork(env, std::move(controls), std::move(body));  // deletes itself when done
    const Napi::Promise promise = work->deferred_.Promise();
    work->Queue();
    return promise;
  }

  void Execute() override {
    try {
      json_ = body_(controls_.get());
    } catch (const Fault& fault) {
      fault_ = fault;
    } catch (const std::exception& error) {
      fault_ = {"engine.failed", std::string("the controls failed unexpectedly: ") + error.what()};
    }
    controls_.reset();
  }

  void OnOK() override {
    if (fault_.code.empty()) return deferred_.Resolve(Napi::String::New(Env(), json_));
    deferred_.Reject(to_error(Env(), fault_).Value());
  }

 private:
  ControlWork(Napi::Env env, std::shared_ptr<CameraControls> controls, Body body)
      : Napi::AsyncWorker(env, "vedette controls"), controls_(std::move(controls)), body_(std::move(body)), deferred_(env) {}

  std::shared_ptr<CameraControls> controls_;
  const Body body_;
  Napi::Promise::Deferred deferred_;
  std::string json_;
  Fault fault_;
};

}  // namespace

Napi::Error to_error(Napi::Env env, const Fault& fault) {
  Napi::Error error = Napi::Error::New(env, fault.detail);
  error.Set("code", fault.code);
  return error;
}

Napi::Promise list_controls(Napi::Env env, std::shared_ptr<CameraControls> controls) {
  return ControlWork::start(env, std::move(controls), [](CameraControls* all) { return controls_json(all ? all->list() : std::vector<Control>{}); });
}

Napi::Promise set_camera_control(Napi::Env env, std::shared_ptr<CameraControls> controls, const ControlWish& wish) {
  return ControlWork::start(env, std::move(controls), [wish](CameraControls* all) {
    if (!all) throw Fault{"control.unknown", "there is no control " + std::to_string(wish.id) + ": what is open has none"};
    return outcome_json(all->set(wish.id, wish.value));
  });
}

}  // namespace vedette
