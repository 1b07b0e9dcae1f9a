// A program that looks at what people bring, in a process of its own: what is beyond its limits ends nobody else. It
// tells what it does in lines.
#pragma once

#include <sys/resource.h>

#include <cstdio>
#include <string>

namespace vedette {

/** memory: of addresses, bytes. cpu_s: of the processor. A process beyond either is ended, and leaves no core. */
inline void limit_resources(rlim_t memory, rlim_t cpu_s) {
  const rlimit of_memory{memory, memory}, of_cpu{cpu_s, cpu_s}, none{0, 0};
  setrlimit(RLIMIT_AS, &of_memory);
  setrlimit(RLIMIT_CPU, &of_cpu);
  setrlimit(RLIMIT_CORE, &none);
}

/** Tells a line at once. */
inline void print_line(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

}  // namespace vedette
