// What the processes inside take together, found out from outside as often as it matters: memory and disk.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace vedette::confine {

/** What was promised to others. 0: there is no limit. */
struct UsageLimits {
  long memory_mb;
  long disk_mb;
  /** Folders whose files count. */
  std::vector<std::string> folders;
  /** By what paths the processes may have them. */
  std::vector<std::string> names;
};

/** All processes below one, that one first. */
std::vector<pid_t> processes_below(pid_t first);

/** Why they take too much memory; empty: they do not. Counted is what is theirs alone, and what they swapped out. */
std::string memory_excess(const std::vector<pid_t>& processes, const UsageLimits& limits);

/** Why they take too much of the disk; empty: they do not. Files that were deleted and are still open count; one
 * that cannot be counted is too much. */
std::string disk_excess(const std::vector<pid_t>& processes, const UsageLimits& limits);

}  // namespace vedette::confine
