#include "params.h"

#include <cmath>

#include "source.h"

namespace vedette {

namespace {
const Param null_param;
}

const Param& Params::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? null_param : found->second;
}

void Params::refuse(const std::string& name, const char* expected) const {
  throw Fault{"engine.bad_task", "parameter " + name + " of step " + owner_ + " is not " + expected};
}

double Params::number(const std::string& name) const {
  const double* value = std::get_if<double>(&find(name));
  if (!value || !std::isfinite(*value)) refuse(name, "a finite number");
  return *value;
}

double Params::number_or(const std::string& name, double fallback) const {
  return std::holds_alternative<std::monostate>(find(name)) ? fallback : number(name);
}

int Params::integer(const std::string& name) const {
  const double value = number(name);
  if (value != std::floor(value) || std::fabs(value) > 1e9) refuse(name, "an integer");
  return static_cast<int>(value);
}

bool Params::flag(const std::string& name) const {
  const bool* value = std::get_if<bool>(&find(name));
  if (!value) refuse(name, "true or false");
  return *value;
}

std::string Params::string(const std::string& name) const {
  const auto* value = std::get_if<std::string>(&find(name));
  if (!value) refuse(name, "a text");
  return *value;
}

std::vector<double> Params::numbers(const std::string& name) const {
  const auto* value = std::get_if<std::vector<double>>(&find(name));
  if (!value) refuse(name, "a list of numbers");
  return *value;
}

std::vector<std::string> Params::strings(const std::string& name) const {
  const auto* value = std::get_if<std::vector<std::string>>(&find(name));
  if (!value) refuse(name, "a list of strings");
  return *value;
}

std::vector<std::vector<double>> Params::rows(const std::string& name) const {
  const Param& param = find(name);
  if (const auto* none = std::get_if<std::vector<double>>(&param); none && none->empty()) return {};
  const auto* value = std::get_if<std::vector<std::vector<double>>>(&param);
  if (!value) refuse(name, "a list of lists of numbers");
  return *value;
}

}  // namespace vedette
