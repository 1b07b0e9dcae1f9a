// Which calls of the kernel a program may make: those that would take it out of its confinement, or take memory that
// nobody sees, are refused.
#pragma once

#include <string>

namespace vedette::confine {

/** What is refused beyond that. */
struct CallRules {
  /** Sockets of networks. */
  bool has_network;
  /** Sockets of this device, by their paths: where it sees all files, it would reach the services of the system. */
  bool has_own_files;
};

/** Holds for this process and all that it starts. Returns an empty text, or why it does not hold. */
std::string restrict_calls(const CallRules& rules);

}  // namespace vedette::confine
