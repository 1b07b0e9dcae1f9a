// Stands before whatever writes files in a process of a test, and keeps a log of it: what was written where, what was
// synced, renamed, removed, in that order. DISK_LOG: the log. DISK_LOG_OF: the folder whose files are meant.
// See disk-log.ts, which reads it.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <mutex>

namespace {

struct Head {
  char kind;
  uint8_t unused[3];
  uint32_t path_bytes;
  uint32_t data_bytes;
  uint32_t unused_too;
  uint64_t offset;
};

const char* const folder = getenv("DISK_LOG_OF");
std::mutex one_at_a_time;

template <class Call>
Call real(const char* name) {
  return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

bool is_meant(const char* path) { return folder && path && strncmp(path, folder, strlen(folder)) == 0; }

bool path_of(int fd, char* path) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
  return is_meant(path) && !strstr(path, " (deleted)");
}

void note(char kind, const char* path, uint64_t offset, const void* data, size_t bytes) {
  static const int log = open(getenv("DISK_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const Head head{kind, {}, static_cast<uint32_t>(strlen(path)), static_cast<uint32_t>(bytes), 0, offset};
  const iovec parts[] = {{const_cast<Head*>(&head), sizeof head},
                         {const_cast<char*>(path), head.path_bytes},
                         {const_cast<void*>(data), bytes}};
  if (writev(log, parts, 3) < 0) abort();
}

ssize_t written(int fd, const void* data, size_t bytes, off_t offset, const char* name) {
  const bool at_place = offset >= 0;
  char path[PATH_MAX];
  const auto put = [&] {
    return at_place ? real<ssize_t (*)(int, const void*, size_t, off_t)>(name)(fd, data, bytes, offset)
                    : real<ssize_t (*)(int, const void*, size_t)>(name)(fd, data, bytes);
  };
  if (!path_of(fd, path)) return put();
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  const bool appends = !at_place && fcntl(fd, F_GETFL) & O_APPEND;
  const off_t from = at_place ? offset : lseek(fd, 0, appends ? SEEK_END : SEEK_CUR);
  const ssize_t count = put();
  if (count > 0) note('w', path, from, data, count);
  return count;
}

int cut(int fd, off_t length, const char* name) {
  char path[PATH_MAX];
  const bool is_noted = path_of(fd, path);
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  const int result = real<int (*)(int, off_t)>(name)(fd, length);
  if (result == 0 && is_noted) note('t', path, length, nullptr, 0);
  return result;
}

/** What was written meanwhile is not taken for synced: SQLite syncs a file in the thread that writes it. */
int synced(int fd, const char* name) {
  char path[PATH_MAX];
  const bool is_noted = path_of(fd, path);
  const int result = real<int (*)(int)>(name)(fd);
  if (result == 0 && is_noted) note('s', path, 0, nullptr, 0);
  return result;
}

int opened(const char* path, int flags, mode_t mode, const char* name) {
  const auto call = real<int (*)(const char*, int, ...)>(name);
  if (!is_meant(path) || !(flags & (O_CREAT | O_TRUNC))) return call(path, flags, mode);
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  const bool is_new = access(path, F_OK) != 0;
  const int fd = call(path, flags, mode);
  if (fd >= 0 && is_new) note('c', path, 0, nullptr, 0);
  if (fd >= 0 && !is_new && flags & O_TRUNC) note('t', path, 0, nullptr, 0);
  return fd;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t bytes) { return written(fd, data, bytes, -1, "write"); }
ssize_t pwrite(int fd, const void* data, size_t bytes, off_t at) { return written(fd, data, bytes, at, "pwrite"); }
ssize_t pwrite64(int fd, const void* data, size_t bytes, off_t at) { return written(fd, data, bytes, at, "pwrite64"); }
int ftruncate(int fd, off_t length) noexcept { return cut(fd, length, "ftruncate"); }
int ftruncate64(int fd, off_t length) noexcept { return cut(fd, length, "ftruncate64"); }
int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opened(path, flags, mode, "open");
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opened(path, flags, mode, "open64");
}

int unlink(const char* path) noexcept {
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  const int result = real<int (*)(const char*)>("unlink")(path);
  if (result == 0 && is_meant(path)) note('u', path, 0, nullptr, 0);
  return result;
}

int rename(const char* from, const char* to) noexcept {
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  const int result = real<int (*)(const char*, const char*)>("rename")(from, to);
  if (result == 0 && is_meant(from)) note('r', from, 0, to, strlen(to));
  return result;
}
}
