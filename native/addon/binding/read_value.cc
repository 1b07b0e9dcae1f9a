#include "read_value.h"

#include <cmath>

#include "source.h"

namespace vedette {

void refuse(const std::string& name, const std::string& expected) {
  throw Fault{"engine.bad_task", name + " is not " + expected};
}

Napi::Object as_object(const Napi::Value& value, const std::string& name) {
  if (!value.IsObject() || value.IsArray() || value.IsTypedArray() || value.IsArrayBuffer() || value.IsDataView() ||
      value.IsFunction())
    refuse(name, "an object");
  return value.As<Napi::Object>();
}

Napi::Array as_array(const Napi::Value& value, const std::string& name) {
  if (!value.IsArray()) refuse(name, "a list");
  return value.As<Napi::Array>();
}

std::string as_string(const Napi::Value& value, const std::string& name) {
  if (!value.IsString()) refuse(name, "a string");
  return value.As<Napi::String>();
}

double as_number(const Napi::Value& value, const std::string& name) {
  if (!value.IsNumber()) refuse(name, "a number");
  const double number = value.As<Napi::Number>();
  if (!std::isfinite(number)) refuse(name, "a finite number");
  return number;
}

int as_int(const Napi::Value& value, const std::string& name) {
  const double number = as_number(value, name);
  if (number != std::floor(number) || std::fabs(number) > 1e9) refuse(name, "an integer");
  return static_cast<int>(number);
}

bool as_bool(const Napi::Value& value, const std::string& name) {
  if (!value.IsBoolean()) refuse(name, "true or false");
  return value.As<Napi::Boolean>();
}

double whole_within(const Napi::Value& value, const std::string& name, double least, double most) {
  const double number = as_number(value, name);
  if (number != std::floor(number) || number < least || number > most) refuse(name, "an integer in its range");
  return number;
}

bool is_absent(const Napi::Value& value) { return value.IsNull() || value.IsUndefined(); }

double number_of(const Napi::Object& object, const char* name) { return as_number(object.Get(name), name); }
int int_of(const Napi::Object& object, const char* name) { return as_int(object.Get(name), name); }

double number_in(const Napi::Object& object, const char* name, double least, double most) {
  const double number = number_of(object, name);
  if (number < least || number > most) refuse(name, "from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

int int_in(const Napi::Object& object, const char* name, int least, int most) {
  const int number = int_of(object, name);
  if (number < least || number > most) refuse(name, "from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

std::string string_of(const Napi::Object& object, const char* name) { return as_string(object.Get(name), name); }
std::string text_of(const Napi::Object& object, const char* name) {
  return is_absent(object.Get(name)) ? std::string() : string_of(object, name);
}
int side_of(const Napi::Object& object, const char* name) { return int_in(object, name, MIN_SIDE, MAX_SIDE); }
double fps_of(const Napi::Object& object) { return number_in(object, "fps", MIN_FPS, MAX_FPS); }

}  // namespace vedette
