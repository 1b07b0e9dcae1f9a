// A program that looks at what people bring, in a process of its own: what is beyond its limits ends nobody else. It
// tells what it does in lines.
#pragma once

#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <new>
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

/**
 * Does what a program is for, and gives its exit code. What it throws is said on standard error. work: what may take
 * too much memory, as "the calibration".
 */
template <typename Body>
int run_to_end(const char* work, const Body& body) {
  try {
    body();
    return 0;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s takes more memory than there is for it\n", work);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}

}  // namespace vedette
