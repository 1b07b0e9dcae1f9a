#include "plugin_binding.h"

#include "picture_memory.h"
#include "plugin_channel.h"
#include "plugin_rows.h"
#include "promised_work.h"
#include "read_value.h"

namespace vedette {

namespace {

constexpr const char* STATES[] = {"preparing", "working", "gone"};  // by PluginChannel::State

template <typename Body>
auto faults_thrown(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Fault& fault) {
    throw to_error(env, fault);
  }
}

std::shared_ptr<PluginChannel> channel_of(const Napi::CallbackInfo& info) {
  return PluginChannel::find(info[0].As<Napi::Number>().Int32Value());
}

Napi::Array places(Napi::Env env, const std::vector<PluginPort>& ports) {
  Napi::Array out = Napi::Array::New(env);
  for (const PluginPort& port : ports) {
    Napi::Object place = Napi::Object::New(env);
    place["at"] = static_cast<double>(port.at);
    place["bytes"] = static_cast<double>(port.bytes);
    place["row_numbers"] = static_cast<double>(plugin_row_width(port.kind));
    out[out.Length()] = place;
  }
  return out;
}

/** inputs, outputs: names of ports. Gives the number of the channel, and where in its memory the ports stand. */
Napi::Value open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return faults_thrown(env, [&] {
    const auto names = [&](size_t argument) {
      return list_of<std::string>(info[argument], "ports", MAX_PLUGIN_PORTS, as_string);
    };
    PluginLayout layout = plugin_layout(names(0), names(1));
    Napi::Object out = Napi::Object::New(env);
    out["memory_bytes"] = static_cast<double>(layout.bytes);
    out["answer_at"] = static_cast<double>(ANSWER_AT);
    out["pictures_bytes"] = static_cast<double>(PictureMemory::BYTES);
    out["inputs"] = places(env, layout.inputs);
    out["outputs"] = places(env, layout.outputs);
    out["number"] = PluginChannel::open(std::move(layout));
    return out;
  });
}

void close(const Napi::CallbackInfo& info) { PluginChannel::close(info[0].As<Napi::Number>().Int32Value()); }

/** The descriptors for another process. */
Napi::Value seat(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return faults_thrown(env, [&] {
    const PluginSeat::Theirs theirs = channel_of(info)->seat();
    Napi::Object out = Napi::Object::New(env);
    out["socket"] = theirs.socket;
    out["memory"] = theirs.memory;
    if (theirs.pictures >= 0) out["pictures"] = theirs.pictures;
    return out;
  });
}

void start(const Napi::CallbackInfo& info) {
  faults_thrown(info.Env(), [&] { channel_of(info)->start(info[1].As<Napi::String>()); });
}

void vacate(const Napi::CallbackInfo& info) {
  faults_thrown(info.Env(), [&] { channel_of(info)->vacate(info[1].As<Napi::String>()); });
}

Napi::Value look(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return faults_thrown(env, [&] {
    const PluginChannel::Look look = channel_of(info)->look();
    Napi::Object out = Napi::Object::New(env);
    out["state"] = STATES[static_cast<int>(look.state)];
    out["is_busy"] = look.is_busy;
    out["steps_done"] = static_cast<double>(look.answered);
    out["users"] = look.users;
    out["ready"] = look.ready;
    out["why"] = look.why;
    return out;
  });
}

}  // namespace

void add_plugins(Napi::Env env, Napi::Object exports) {
  Napi::Object plugins = Napi::Object::New(env);
  plugins["open"] = Napi::Function::New(env, open, "open");
  plugins["close"] = Napi::Function::New(env, close, "close");
  plugins["seat"] = Napi::Function::New(env, seat, "seat");
  plugins["start"] = Napi::Function::New(env, start, "start");
  plugins["vacate"] = Napi::Function::New(env, vacate, "vacate");
  plugins["look"] = Napi::Function::New(env, look, "look");
  exports["plugins"] = plugins;
}

}  // namespace vedette
