// What the launcher is told on its command line.
#pragma once

#include <string>
#include <vector>

namespace vedette::confine {

/** A limit of 0: there is none. */
struct Options {
  bool has_network = false;
  long memory_mb = 0;
  long processes = 0;
  long disk_mb = 0;
  long cpu_percent = 0;
  /** Whether it comes after all other programs; else it is one as all others. */
  bool is_last = true;
  /** Of a control group that is there already, with its limits; empty: there is none. */
  std::string cgroup;
  /** Where the program is started; empty: in the first folder that it may read. */
  std::string cwd;
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<int> kept_fds;
  /** The program and its arguments. */
  std::vector<std::string> program;
};

/** Throws std::invalid_argument with a sentence. */
Options read_options(int argc, char** argv);

}  // namespace vedette::confine
