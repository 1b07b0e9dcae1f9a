// Landlock: which files a program may open, by their paths, held by the kernel without any rights of ours.
#pragma once

#include <string>
#include <vector>

namespace vedette::confine {

/** Paths as the program sees them; those that are not there are left out. */
struct FileRules {
  std::vector<std::string> read;
  std::vector<std::string> write;
  /** Whether it may connect by TCP, and listen. */
  bool has_network;
};

/** Holds for this process and all that it starts. Returns an empty text, or why it does not hold. */
std::string restrict_files(const FileRules& rules);

}  // namespace vedette::confine
