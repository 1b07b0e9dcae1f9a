// JavaScript values as plain ones. All of these throw Fault `engine.bad_task`, with the name that is given, for what is
// of another kind or out of its range.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vedette {

// What may be asked for is decided before a task comes here (machines/stream/manifest.ts). These limits, and those
// beside the other readers, are wider, and only keep whatever a task says from taking memory or time without bound, and
// arithmetic from leaving its range.
constexpr int MIN_SIDE = 16, MAX_SIDE = 8192;
constexpr double MIN_FPS = 0.001, MAX_FPS = 1000;

[[noreturn]] void refuse(const std::string& name, const std::string& expected);

/** A plain object: the entries of a list or a buffer would all be taken for its fields. */
Napi::Object as_object(const Napi::Value& value, const std::string& name);
Napi::Array as_array(const Napi::Value& value, const std::string& name);
std::string as_string(const Napi::Value& value, const std::string& name);
/** A finite one. */
double as_number(const Napi::Value& value, const std::string& name);
int as_int(const Napi::Value& value, const std::string& name);
bool as_bool(const Napi::Value& value, const std::string& name);
/** An integer that an int might not hold. */
double whole_within(const Napi::Value& value, const std::string& name, double least, double most);
bool is_absent(const Napi::Value& value);

double number_of(const Napi::Object& object, const char* name);
int int_of(const Napi::Object& object, const char* name);
double number_in(const Napi::Object& object, const char* name, double least, double most);
int int_in(const Napi::Object& object, const char* name, int least, int most);
std::string string_of(const Napi::Object& object, const char* name);
/** Empty where there is none. */
std::string text_of(const Napi::Object& object, const char* name);
/** The width or height of pictures. */
int side_of(const Napi::Object& object, const char* name);
/** The field `fps`. */
double fps_of(const Napi::Object& object);

/** read: called with each entry and its name. */
template <typename T, typename Read>
std::vector<T> list_of(const Napi::Value& value, const std::string& name, uint32_t most, Read read) {
  const Napi::Array array = as_array(value, name);
  if (array.Length() > most) refuse(name, "a list of at most " + std::to_string(most));
  std::vector<T> out;
  for (uint32_t i = 0; i < array.Length(); i++) out.push_back(read(array.Get(i), name + "[" + std::to_string(i) + "]"));
  return out;
}

}  // namespace vedette
