// An end to what takes too long.
#pragma once

#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace vedette::test {

/**
 * Ends the program as abort() does when the thread that made it has used so much CPU while it lives: by the clock on
 * the wall a busy machine would look like a loop. One at a time, all of one thread.
 */
class TimeLimit {
 public:
  explicit TimeLimit(int64_t cpu_us) { set(cpu_us); }
  ~TimeLimit() { set(0); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static void set(int64_t cpu_us) {
    static const timer_t TIMER = made();
    itimerspec when{};
    when.it_value.tv_sec = cpu_us / 1'000'000;
    when.it_value.tv_nsec = cpu_us % 1'000'000 * 1000;
    if (timer_settime(TIMER, 0, &when, nullptr) != 0) std::abort();
  }

  static timer_t made() {
    std::signal(SIGXCPU, [](int) {
      constexpr char WORDS[] = "FAILED: a look takes too long\n";
      if (write(STDERR_FILENO, WORDS, sizeof WORDS - 1) < 0) _exit(2);
      std::abort();
    });
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGXCPU;
    timer_t timer;
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) std::abort();
    return timer;
  }
};

}  // namespace vedette::test
