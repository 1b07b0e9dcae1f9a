#include "confine_options.h"

#include <cstdlib>
#include <stdexcept>

namespace vedette::confine {
namespace {

constexpr long MAX_NUMBER = 1'000'000;

long number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > MAX_NUMBER)
    throw std::invalid_argument(option + " takes a whole number of at least 1, not \"" + text + "\"");
  return value;
}

std::string path(const std::string& option, const std::string& text) {
  if (text.empty() || text[0] != '/' || text.find("/../") != std::string::npos)
    throw std::invalid_argument(option + " takes an absolute path, not \"" + text + "\"");
  std::string whole = text;
  while (whole.size() > 1 && whole.back() == '/') whole.pop_back();
  return whole;
}

bool is_last(const std::string& option, const std::string& text) {
  if (text != "last" && text != "usual")
    throw std::invalid_argument(option + " takes last or usual, not \"" + text + "\"");
  return text == "last";
}

}  // namespace

Options read_options(int argc, char** argv) {
  Options found;
  int at = 1;
  for (; at < argc; at++) {
    const std::string option = argv[at];
    if (option == "--") break;
    if (option == "--network") {
      found.has_network = true;
      continue;
    }
    if (at + 1 >= argc) throw std::invalid_argument(option + " is no option, or says nothing");
    const std::string value = argv[++at];
    if (option == "--memory-mb") found.memory_mb = number(option, value);
    else if (option == "--processes") found.processes = number(option, value);
    else if (option == "--disk-mb") found.disk_mb = number(option, value);
    else if (option == "--cpu-percent") found.cpu_percent = number(option, value);
    else if (option == "--precedence") found.is_last = is_last(option, value);
    else if (option == "--cgroup") found.cgroup = path(option, value);
    else if (option == "--cwd") found.cwd = path(option, value);
    else if (option == "--read") found.read.push_back(path(option, value));
    else if (option == "--write") found.write.push_back(path(option, value));
    else if (option == "--keep-fd") found.kept_fds.push_back(static_cast<int>(number(option, value)));
    else throw std::invalid_argument("there is no option " + option);
  }
  for (at++; at < argc; at++) found.program.emplace_back(argv[at]);
  if (found.program.empty()) throw std::invalid_argument("there is no program behind --");
  return found;
}

}  // namespace vedette::confine
