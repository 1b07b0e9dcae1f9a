// Both ends of a pipe that stands for a strip of lamps: stamps read PIPE BYTES reads pictures of so many bytes until it
// is ended (SIGTERM), and at SIGUSR1 prints of each since the last time when it was whole (microseconds of
// CLOCK_MONOTONIC) and whether it was dark; stamps write PIPE BYTES PERIOD_US COUNT writes so many pictures by a bare
// timer, the reference.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace {

volatile std::sig_atomic_t is_over = 0, is_asked = 0;

int64_t now_us() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000} + now.tv_nsec / 1000;
}

/** A dark strip hears 100 for each of its bits, after one silent byte. */
bool is_dark(const std::vector<unsigned char>& picture) {
  static const unsigned char DARK[] = {0x92, 0x49, 0x24};
  for (size_t at = 1; at + 3 <= picture.size() && picture[at] != 0; at += 3)
    if (std::memcmp(picture.data() + at, DARK, 3) != 0) return false;
  return true;
}

int read_pictures(const char* path, size_t bytes) {
  struct sigaction ending {};
  ending.sa_handler = [](int) { is_over = 1; };
  sigaction(SIGTERM, &ending, nullptr);
  struct sigaction asking {};
  asking.sa_handler = [](int) { is_asked = 1; };
  sigaction(SIGUSR1, &asking, nullptr);
  const int fd = open(path, O_RDWR | O_CLOEXEC);  // also for writing: it does not end when its writer does
  if (fd < 0) return std::perror(path), 1;
  fcntl(fd, F_SETPIPE_SZ, 1 << 20);
  std::puts("open");
  std::fflush(stdout);
  std::vector<std::pair<int64_t, bool>> seen;
  std::vector<unsigned char> picture(bytes);
  size_t have = 0;
  while (!is_over) {
    if (is_asked) {
      is_asked = 0;
      for (const auto& [at_us, dark] : seen) std::printf("%lld %d\n", static_cast<long long>(at_us), dark);
      std::puts("end");
      std::fflush(stdout);
      seen.clear();
    }
    const ssize_t count = read(fd, picture.data() + have, bytes - have);
    if (count <= 0) continue;
    have += static_cast<size_t>(count);
    if (have < bytes) continue;
    seen.emplace_back(now_us(), is_dark(picture));
    have = 0;
  }
  return 0;
}

int write_pictures(const char* path, size_t bytes, long period_us, int count) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return std::perror(path), 1;
  std::vector<unsigned char> picture(bytes, 0x92);
  int64_t next_us = now_us();
  for (int i = 0; i < count; i++) {
    next_us += period_us;
    const timespec next{static_cast<time_t>(next_us / 1'000'000), static_cast<long>(next_us % 1'000'000 * 1000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) != 0) {
    }
    if (write(fd, picture.data(), bytes) != static_cast<ssize_t>(bytes)) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "read") == 0)
    return read_pictures(argv[2], static_cast<size_t>(std::atol(argv[3])));
  if (argc == 6 && std::strcmp(argv[1], "write") == 0)
    return write_pictures(argv[2], static_cast<size_t>(std::atol(argv[3])), std::atol(argv[4]), std::atoi(argv[5]));
  return 2;
}
