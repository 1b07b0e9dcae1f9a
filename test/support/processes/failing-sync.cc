// Stands before fdatasync in an engine of a test, as a disk that loses what it was given: the kernel tells that once,
// and no second time. What becomes of a file its name says: fails-<n>-<ms>.mp4 fails its n-th call, after so many
// milliseconds.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

extern "C" int fdatasync(int fd) {
  static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fdatasync"));
  static std::atomic<int> calls{0};
  char link[40], path[500];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  const char* name = strstr(path, "fails-");
  int at = 0, after_ms = 0;
  if (!name || sscanf(name, "fails-%d-%d.mp4", &at, &after_ms) != 2 || ++calls != at) return real(fd);
  const timespec pause{after_ms / 1000, after_ms % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
  errno = EIO;
  return -1;
}
