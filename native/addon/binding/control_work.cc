#include "control_work.h"

#include <functional>
#include <string>
#include <utility>

#include "promised_work.h"
#include "v4l2_describe.h"

namespace vedette {
namespace {

/** The promise gets the text that the body makes. */
class ControlWork : public PromisedWork {
 public:
  using Body = std::function<std::string(CameraControls*)>;

  ControlWork(Napi::Env env, std::shared_ptr<CameraControls> controls, Body body)
      : PromisedWork(env, "the controls failed unexpectedly"), controls_(std::move(controls)), body_(std::move(body)) {}

 private:
  void work() override {
    const std::shared_ptr<CameraControls> controls = std::move(controls_);  // let go here: that may take its time
    json_ = body_(controls.get());
  }

  Napi::Value given() override { return Napi::String::New(Env(), json_); }

  std::shared_ptr<CameraControls> controls_;
  const Body body_;
  std::string json_;
};

Napi::Promise asked(Napi::Env env, std::shared_ptr<CameraControls> controls, ControlWork::Body body) {
  return (new ControlWork(env, std::move(controls), std::move(body)))->begin();
}

}  // namespace

Napi::Promise list_controls(Napi::Env env, std::shared_ptr<CameraControls> controls) {
  return asked(env, std::move(controls),
               [](CameraControls* all) { return controls_json(all ? all->list() : std::vector<Control>{}); });
}

Napi::Promise set_camera_control(Napi::Env env, std::shared_ptr<CameraControls> controls,
                                 const ControlRequest& request) {
  return asked(env, std::move(controls), [request](CameraControls* all) {
    if (!all)
      throw Fault{"control.unknown", "there is no control " + std::to_string(request.id) + ": what is open has none"};
    return outcome_json(all->set(request.id, request.value));
  });
}

}  // namespace vedette
