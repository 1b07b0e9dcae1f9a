// The addon's exports: the class Stream, the steps that JavaScript does, and what it was compiled with. Everything slow
// runs off the JavaScript thread.
#include <napi.h>

#include <mutex>
#include <opencv2/core/utility.hpp>

#include "declared.h"
#include "host_binding.h"
#include "plugin_binding.h"
#include "stream_class.h"

namespace vedette {

namespace {

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  static std::once_flag is_set;  // each worker thread comes here, while pipelines are inside OpenCV
  std::call_once(is_set, [] { cv::setNumThreads(0); });  // a pool of threads would be kept for matrices of eight rows
  exports["Stream"] = Stream::define(env);
  add_hosts(env, exports);
  add_plugins(env, exports);
  exports["declared"] = Napi::Function::New(
      env, [](const Napi::CallbackInfo& info) { return declared(info.Env()); }, "declared");
  return exports;
}

}  // namespace

NODE_API_MODULE(vedette, initialise)

}  // namespace vedette
