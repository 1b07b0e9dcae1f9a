#include "plain_stacks.h"

#include <v8.h>

#include <string>

namespace vedette {

namespace {

/** Calls nothing of JavaScript, whatever the error is. */
v8::MaybeLocal<v8::Value> place_of(v8::Local<v8::Context> context, v8::Local<v8::Value> error, v8::Local<v8::Array>) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const v8::Local<v8::Message> message = v8::Exception::CreateMessage(isolate, error);
  const v8::Local<v8::Value> file = message->GetScriptResourceName();
  const int line = message->GetLineNumber(context).FromMaybe(0);
  if (!file->IsString() || line <= 0) return v8::String::Empty(isolate);
  const v8::Local<v8::String> rest =
      v8::String::NewFromUtf8(isolate, (":" + std::to_string(line)).c_str()).ToLocalChecked();
  return v8::String::Concat(isolate, file.As<v8::String>(), rest);
}

}  // namespace

void keep_stacks_plain() { v8::Isolate::GetCurrent()->SetPrepareStackTraceCallback(place_of); }

}  // namespace vedette
