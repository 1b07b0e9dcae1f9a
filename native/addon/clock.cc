#include "clock.h"

#include <ctime>

namespace vedette {

namespace {

int64_t now_us(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace

int64_t monotonic_us() { return now_us(CLOCK_MONOTONIC); }

int64_t thread_cpu_us() { return now_us(CLOCK_THREAD_CPUTIME_ID); }

int64_t process_cpu_us() { return now_us(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace vedette
