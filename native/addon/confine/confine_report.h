// By which means of the kernel a program is confined, and which the kernel refuses: one line for who started it.
#pragma once

#include <string>
#include <vector>

namespace vedette::confine {

/** One of the means. why: how it holds, or why it does not, in a sentence without its full stop. */
struct Means {
  std::string name;
  bool holds;
  std::string why;
};

using Report = std::vector<Means>;

/** Writes `vedette-confine: ` and a JSON list on standard error. */
void tell(const Report& report);

/** What the system said of the latest call that failed. */
std::string system_reason(const std::string& call);

}  // namespace vedette::confine
