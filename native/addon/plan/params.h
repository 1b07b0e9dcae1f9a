// The parameters of a step, as they came from JavaScript.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace vedette {

/**
 * monostate: null. An empty list has no type of its own and is kept as a list of numbers. Of lists of lists, each of
 * the outer list has all numbers in it.
 */
using Param = std::variant<std::monostate, bool, double, std::string, std::vector<double>, std::vector<std::string>,
                           std::vector<std::vector<double>>>;

/**
 * Parameters by name. Ranges were checked before they came here; a missing one or a wrong type is a Fault
 * `engine.bad_task`.
 */
class Params {
 public:
  explicit Params(std::string owner = "") : owner_(std::move(owner)) {}
  void set(const std::string& name, Param value) { values_[name] = std::move(value); }
  /** The step that these are the parameters of. */
  const std::string& owner() const { return owner_; }

  double number(const std::string& name) const;
  /** The number, or `fallback` for null. */
  double number_or(const std::string& name, double fallback) const;
  int integer(const std::string& name) const;
  bool flag(const std::string& name) const;
  std::string string(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<std::string> strings(const std::string& name) const;
  std::vector<std::vector<double>> rows(const std::string& name) const;

 private:
  const Param& find(const std::string& name) const;
  [[noreturn]] void refuse(const std::string& name, const char* expected) const;

  std::string owner_;
  std::map<std::string, Param> values_;
};

}  // namespace vedette
