#include "pace.h"

#include <algorithm>
#include <ctime>

#include "frame.h"

namespace vedette {

constexpr int64_t MAX_SLEEP_US = 20'000;  // nothing wakes the sleeper, so this bounds how late it sees `stopping`

bool wait_until(int64_t due_us, const std::atomic<bool>& stopping) {
  while (!stopping.load(std::memory_order_relaxed)) {
    const int64_t now_us = monotonic_us();
    if (now_us >= due_us) return true;
    const int64_t wake_us = std::min(due_us, now_us + MAX_SLEEP_US);
    const timespec wake{static_cast<time_t>(wake_us / 1'000'000), static_cast<long>(wake_us % 1'000'000) * 1000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
  }
  return false;
}

}  // namespace vedette
