// The addon that a node of a plugin in JavaScript has: the memory that it shares with its engine. Nothing else is in
// it, so that such a program loads nothing else.
#include <napi.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace {

/** descriptor, bytes: an ArrayBuffer of it, which stays as long as the process. */
Napi::Value map(const Napi::CallbackInfo& info) {
  const int descriptor = info[0].As<Napi::Number>().Int32Value();
  const auto bytes = static_cast<size_t>(info[1].As<Napi::Number>().Int64Value());
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || static_cast<size_t>(found.st_size) < bytes)
    throw Napi::Error::New(info.Env(), "there is no memory to share");
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) throw Napi::Error::New(info.Env(), "the shared memory cannot be mapped");
  return Napi::ArrayBuffer::New(info.Env(), memory, bytes, [](Napi::Env, void*) {});
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports["map"] = Napi::Function::New(env, map, "map");
  return exports;
}

}  // namespace

NODE_API_MODULE(shared_memory, initialise)
