// A file system of its own for the program: the folders of the system, what it may read and what it may write, and
// nothing else of this device.
#pragma once

#include <string>
#include <vector>

namespace vedette::confine {

/** A place in the new file system. source: where it lies here, without symbolic links. */
struct Place {
  std::string source;
  std::string target;
};

/** What the new file system holds. */
struct RootPlan {
  std::vector<Place> system;
  std::vector<Place> read;
  std::vector<Place> write;
  /** Of each of the folders in memory: /tmp and /dev/shm. */
  long memory_folder_mb;
};

/** The places of paths. Throws std::runtime_error with a sentence where there is none. */
std::vector<Place> places_of(const std::vector<std::string>& paths);

/** What every program may read: its libraries, and the few files of /etc that those look for. Those that are there. */
std::vector<Place> system_places();

/**
 * Makes it and moves into it. To be called in a mount namespace of its own, with the rights of its user namespace.
 * Throws std::runtime_error with the call that failed. has_proc: whether /proc could be had.
 */
void enter_new_root(const RootPlan& plan, bool& has_proc);

}  // namespace vedette::confine
