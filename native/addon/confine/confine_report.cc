#include "confine_report.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace vedette::confine {
namespace {

/** As a text of JSON; what is no plain sign becomes a question mark. */
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') out += '\\';
    out += each >= ' ' && each < 0x7f ? each : '?';
  }
  return out + "\"";
}

}  // namespace

void tell(const Report& report) {
  std::string line = "vedette-confine: [";
  for (const Means& each : report) {
    if (line.back() != '[') line += ",";
    line += "{\"means\":" + quoted(each.name) + ",\"holds\":" + (each.holds ? "true" : "false") +
            ",\"why\":" + quoted(each.why) + "}";
  }
  line += "]\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t written = write(STDERR_FILENO, line.data() + at, line.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

std::string system_reason(const std::string& call) { return call + ": " + std::strerror(errno); }

}  // namespace vedette::confine
