#include "outlet.h"

#include <vector>

#include "describe.h"

namespace vedette {

void Outlet::deliver(Napi::Env env, Napi::Function on_event, Outlet* outlet, void*) {
  if (env) outlet->empty_mailbox(env, on_event);
}

std::shared_ptr<Outlet> Outlet::make(Napi::Env env, Napi::Function on_event) {
  auto outlet = std::make_shared<Outlet>();
  const auto drop = [](Napi::Env, std::shared_ptr<Outlet>* held, Outlet*) { delete held; };
  outlet->waker = Waker::New(env, on_event, "vedette", 0, 1, outlet.get(), drop, new std::shared_ptr<Outlet>(outlet));
  outlet->waker.Unref(env);
  return outlet;
}

void Outlet::empty_mailbox(Napi::Env env, Napi::Function on_event) {
  const auto bytes_of = [env](const std::vector<double>& packed) {
    return Napi::Buffer<uint8_t>::Copy(env, reinterpret_cast<const uint8_t*>(packed.data()),
                                       packed.size() * sizeof(double));
  };
  mailbox.take(contents);
  if (!contents.result.empty()) on_event.Call({Napi::String::New(env, "result"), bytes_of(contents.result)});
  for (const std::vector<double>& packed : contents.in_turn)
    on_event.Call({Napi::String::New(env, "result-in-turn"), bytes_of(packed)});
  for (const Notice& notice : contents.notices)
    on_event.Call({Napi::String::New(env, "notice"), describe(env, notice)});
  for (const ViewerLeft& left : contents.left)
    on_event.Call({Napi::String::New(env, "viewer-left"), describe(env, left)});
  for (EncodedPicture& picture : contents.pictures)
    on_event.Call({Napi::String::New(env, "picture"), describe(env, picture)});
}

}  // namespace vedette
