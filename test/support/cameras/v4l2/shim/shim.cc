// Stands in front of the C library in programs that are started with it (LD_PRELOAD): whoever opens an emulated camera
// gets that. Which files are cameras they say themselves: one named videoN whose text is `vedette emulated camera`, its
// folder and its state, a line each (cameras.ts). Everything else goes its usual way. Calls that the C library makes
// within itself do not come here; nobody opens cameras that way.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/mman.h>

#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <string>

#include <unistd.h>

#include "camera.h"
#include "real.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace shim {

const Real& real() {
  static const Real functions = {
      reinterpret_cast<decltype(Real::open)>(dlsym(RTLD_NEXT, "open")),
      reinterpret_cast<decltype(Real::close)>(dlsym(RTLD_NEXT, "close")),
      reinterpret_cast<decltype(Real::ioctl)>(dlsym(RTLD_NEXT, "ioctl")),
      reinterpret_cast<decltype(Real::mmap)>(dlsym(RTLD_NEXT, "mmap")),
  };
  return functions;
}

namespace {

constexpr int MAX_DESCRIPTORS = 65536;
constexpr const char* FIRST_LINE = "vedette emulated camera\n";

// By descriptor. A program that closes one while another of its threads asks it something is broken with real cameras
// as well.
std::atomic<Camera*> cameras[MAX_DESCRIPTORS];

Camera* camera_of(int fd) { return fd >= 0 && fd < MAX_DESCRIPTORS ? cameras[fd].load() : nullptr; }

bool looks_like_a_node(const char* path) {
  const char* name = std::strrchr(path, '/');
  return name && std::strncmp(name, "/video", 6) == 0 && std::isdigit(static_cast<unsigned char>(name[6]));
}

/** What stands in the file of a node; empty: it is none of ours. */
std::string read_node(const char* path) {
  const int fd = real().open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  char text[4096];
  const ssize_t length = ::read(fd, text, sizeof text);
  real().close(fd);
  if (length <= 0 || std::strncmp(text, FIRST_LINE, std::strlen(FIRST_LINE)) != 0) return "";
  return std::string(text + std::strlen(FIRST_LINE), static_cast<size_t>(length) - std::strlen(FIRST_LINE));
}

/** -2: it is no emulated camera. */
int open_camera(const char* path) {
  if (!looks_like_a_node(path)) return -2;
  const std::string lines = read_node(path);
  const size_t first = lines.find('\n'), second = lines.find('\n', first + 1);
  if (second == std::string::npos) return -2;
  auto camera = std::make_unique<Camera>(lines.substr(0, first), lines.substr(first + 1, second - first - 1));
  const int fd = camera->open();
  if (fd >= 0 && fd < MAX_DESCRIPTORS) cameras[fd] = camera.release();
  return fd;
}

template <typename Open>
int open_any(const char* path, Open usual) {
  const int fd = path ? open_camera(path) : -2;
  return fd == -2 ? usual() : fd;
}

/** The mode of the file, when one is given. */
#define MODE_OF(flags)                     \
  ({                                       \
    mode_t mode = 0;                       \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
      va_list rest;                        \
      va_start(rest, flags);               \
      mode = va_arg(rest, mode_t);         \
      va_end(rest);                        \
    }                                      \
    mode;                                  \
  })

}  // namespace
}  // namespace shim

using namespace shim;

EXPORTED int open(const char* path, int flags, ...) {
  const mode_t mode = MODE_OF(flags);
  return open_any(path, [&] { return real().open(path, flags, mode); });
}

EXPORTED int open64(const char* path, int flags, ...) {
  const mode_t mode = MODE_OF(flags);
  return open_any(path, [&] { return real().open(path, flags | O_LARGEFILE, mode); });
}

EXPORTED int __open_2(const char* path, int flags) {
  return open_any(path, [&] { return real().open(path, flags); });
}

EXPORTED int __open64_2(const char* path, int flags) {
  return open_any(path, [&] { return real().open(path, flags | O_LARGEFILE); });
}

EXPORTED int close(int fd) {
  if (Camera* camera = camera_of(fd)) {
    cameras[fd] = nullptr;
    delete camera;
  }
  return real().close(fd);
}

EXPORTED int ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  Camera* camera = camera_of(fd);
  if (!camera) return real().ioctl(fd, request, argument);
  // as the kernel: some programs have it in an int, with its sign
  const int error = camera->control(static_cast<uint32_t>(request), argument);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

EXPORTED void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  Camera* camera = camera_of(fd);
  return real().mmap(address, length, protection, flags, camera ? camera->memory() : fd, offset);
}

EXPORTED void* mmap64(void* address, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}
