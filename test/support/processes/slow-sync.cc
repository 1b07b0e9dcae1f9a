// Stands before fsync and fdatasync in a service of a test, as a card under load: a sync of the settings takes
// SLOW_SYNC_MS more.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace {

void wait_for_settings(int fd) {
  static const char* const given = getenv("SLOW_SYNC_MS");
  static const long ms = given ? atol(given) : 0;
  char link[40], path[500];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  if (!strstr(path, "vedette.db")) return;
  const timespec pause{ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
}

}  // namespace

extern "C" int fsync(int fd) {
  static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fsync"));
  wait_for_settings(fd);
  return real(fd);
}

extern "C" int fdatasync(int fd) {
  static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fdatasync"));
  wait_for_settings(fd);
  return real(fd);
}
