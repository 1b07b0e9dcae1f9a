// Work on a thread of Node's pool, of which JavaScript holds a promise.
#pragma once

#include <napi.h>

#include <string>

#include "source.h"

namespace vedette {

/** An Error with the fault's code. */
Napi::Error to_error(Napi::Env env, const Fault& fault);

/** Made with `new`; deletes itself when it is done. What it throws, on either thread, rejects the promise. */
class PromisedWork : public Napi::AsyncWorker {
 public:
  /** Has it done, in its turn. */
  Napi::Promise begin();

 protected:
  /** failed: how a sentence begins that tells of what nobody foresaw: `the controls failed unexpectedly`. */
  PromisedWork(Napi::Env env, const char* failed);

  /** On a thread of the pool. */
  virtual void work() = 0;
  /** Back on the thread of JavaScript: what the promise gives. */
  virtual Napi::Value given() = 0;

 private:
  void Execute() final;
  void OnOK() final;
  template <typename Body>
  void guarded(Body body);

  const char* const failed_;
  Napi::Promise::Deferred deferred_;
  Fault fault_;
};

}  // namespace vedette
