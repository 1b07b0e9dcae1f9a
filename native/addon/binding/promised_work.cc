#include "promised_work.h"

namespace vedette {

Napi::Error to_error(Napi::Env env, const Fault& fault) {
  Napi::Error error = Napi::Error::New(env, fault.detail);
  error.Set("code", fault.code);
  return error;
}

PromisedWork::PromisedWork(Napi::Env env, const char* failed)
    : Napi::AsyncWorker(env, "vedette"), failed_(failed), deferred_(env) {}

Napi::Promise PromisedWork::begin() {
  const Napi::Promise promise = deferred_.Promise();
  Queue();
  return promise;
}

template <typename Body>
void PromisedWork::guarded(Body body) {
  try {
    body();
  } catch (const Fault& fault) {
    fault_ = fault;
  } catch (const std::exception& error) {
    fault_ = {"engine.failed", std::string(failed_) + ": " + error.what()};
  }
}

void PromisedWork::Execute() {
  guarded([this] { work(); });
}

void PromisedWork::OnOK() {
  if (fault_.code.empty()) guarded([this] { deferred_.Resolve(given()); });
  if (!fault_.code.empty()) deferred_.Reject(to_error(Env(), fault_).Value());
}

}  // namespace vedette
