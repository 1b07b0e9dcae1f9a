#include "read_plan.h"

#include "read_value.h"

namespace vedette {

namespace {

constexpr uint32_t MAX_STEPS = 1024, MAX_PORTS = 16, MAX_PARAMS = 64, MAX_PARAM_ENTRIES = 10'000, MAX_PARAM_DEPTH = 3;

/** All numbers of a list and of the lists in it, in their order. */
void add_numbers(const Napi::Value& value, const std::string& name, int depth, std::vector<double>& out) {
  if (!value.IsArray()) return out.push_back(as_number(value, name));
  const Napi::Array array = as_array(value, name);
  if (depth == 0 || out.size() + array.Length() > MAX_PARAM_ENTRIES)
    refuse(name, "a list of at most " + std::to_string(MAX_PARAM_ENTRIES) + " numbers");
  for (uint32_t i = 0; i < array.Length(); i++) add_numbers(array.Get(i), name, depth - 1, out);
}

std::vector<double> read_row(const Napi::Value& value, const std::string& name) {
  std::vector<double> out;
  add_numbers(value, name, MAX_PARAM_DEPTH, out);
  return out;
}

Param read_param(const Napi::Value& value, const std::string& name) {
  if (is_absent(value)) return std::monostate{};
  if (value.IsBoolean()) return as_bool(value, name);
  if (value.IsNumber()) return as_number(value, name);
  if (value.IsString()) return as_string(value, name);
  const Napi::Array array = as_array(value, name);
  if (array.Length() > 0 && array.Get(0u).IsString())
    return list_of<std::string>(array, name, MAX_PARAM_ENTRIES, as_string);
  if (array.Length() > 0 && array.Get(0u).IsArray())
    return list_of<std::vector<double>>(array, name, MAX_PARAM_ENTRIES, read_row);
  return list_of<double>(array, name, MAX_PARAM_ENTRIES, as_number);
}

/** Of the step `owner`. */
Params read_params(const Napi::Value& value, const std::string& owner, const std::string& name) {
  Params out(owner);
  const Napi::Object params = as_object(value, name);
  const Napi::Array names = params.GetPropertyNames();
  if (names.Length() > MAX_PARAMS) refuse(name, "an object of at most " + std::to_string(MAX_PARAMS) + " fields");
  for (uint32_t i = 0; i < names.Length(); i++) {
    const std::string param = as_string(names.Get(i), "a parameter's name");
    out.set(param, read_param(params.Get(param), param));
  }
  return out;
}

PlanDocument::Step read_step(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = as_object(value, name);
  PlanDocument::Step out;
  out.id = string_of(object, "id");
  out.type = string_of(object, "type");
  out.inputs = list_of<int>(object.Get("inputs"), name + ".inputs", MAX_PORTS, as_int);
  out.outputs = list_of<int>(object.Get("outputs"), name + ".outputs", MAX_PORTS, as_int);
  out.params = read_params(object.Get("params"), out.id, name + ".params");
  return out;
}

}  // namespace

PlanDocument read_plan(const Napi::Value& value) {
  const Napi::Object object = as_object(value, "plan");
  PlanDocument out;
  out.slots = int_of(object, "slots");
  out.steps = list_of<PlanDocument::Step>(object.Get("steps"), "plan.steps", MAX_STEPS, read_step);
  out.outputs = list_of<PlanDocument::Output>(
      object.Get("outputs"), "plan.outputs", MAX_STEPS, [](const Napi::Value& output, const std::string& name) {
        const Napi::Object entry = as_object(output, name);
        return PlanDocument::Output{string_of(entry, "port"), int_of(entry, "slot")};
      });
  return out;
}

StepParams read_step_params(const Napi::Value& value) {
  return list_of<std::pair<std::string, Params>>(
      value, "steps", MAX_STEPS, [](const Napi::Value& step, const std::string& name) {
        const Napi::Object object = as_object(step, name);
        const std::string id = string_of(object, "id");
        return std::pair(id, read_params(object.Get("params"), id, name + ".params"));
      });
}

}  // namespace vedette
