#include "media_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "source.h"

namespace vedette {
namespace {

[[noreturn]] void fail(const char* code, const std::string& detail) { throw Fault{code, detail}; }

[[noreturn]] void not_allowed(const std::string& path) {
  fail("media.not_allowed", path +
                                " is not inside a folder that streams may read, or a link leads out of it; move it to "
                                "the data directory, or have an "
                                "administrator add its folder to VEDETTE_MEDIA_ROOTS");
}

/** An open descriptor, closed on every path. */
struct Descriptor {
  int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

std::string own_link(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

/** Holds on to what a path names, without opening it. */
int hold(const std::string& path) { return ::open(path.c_str(), O_PATH | O_CLOEXEC); }

/** Where the kernel says a held thing lies; none when it cannot say. */
std::optional<std::string> place_of(int fd) {
  char place[PATH_MAX];
  const ssize_t length = ::readlink(own_link(fd).c_str(), place, sizeof place);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof place) || place[0] != '/') return std::nullopt;
  return std::string(place, static_cast<size_t>(length));
}

bool lies_within(const std::string& root, const std::string& place) {
  if (place == root) return true;
  const std::string folder = !root.empty() && root.back() == '/' ? root : root + "/";
  return place.compare(0, folder.size(), folder) == 0;
}

bool is_inside(const std::optional<std::string>& place, const MediaRoots& roots) {
  return place &&
         std::any_of(roots.begin(), roots.end(), [&](const std::string& root) { return lies_within(root, *place); });
}

bool is_link(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/**
 * Of a path that names nothing: the nearest folder above it that is there, and the names that are missing below. As
 * native/media-roots/files.ts.
 */
std::optional<std::string> place_of_missing(const std::string& path) {
  std::string above = path, missing;
  while (!is_link(above)) {
    const size_t slash = above.find_last_of('/');
    if (slash == std::string::npos || above == "/") return std::nullopt;
    missing = above.substr(slash) + missing;
    above = slash == 0 ? "/" : above.substr(0, slash);
    const Descriptor held(hold(above));
    if (held.fd < 0) continue;
    const std::optional<std::string> place = place_of(held.fd);
    if (!place) return std::nullopt;
    return *place == "/" ? missing : *place + missing;
  }
  return std::nullopt;  // a link that leads nowhere: where it would lead is not told
}

/** Holds on to what lies inside the roots; -1 with errno when it is not there. Throws Fault `media.not_allowed`. */
int hold_inside(const std::string& path, const MediaRoots& roots) {
  if (path.find('\0') != std::string::npos) not_allowed(path.substr(0, path.find('\0')));
  const int fd = hold(path);
  const int why = errno;
  if (is_inside(fd >= 0 ? place_of(fd) : place_of_missing(path), roots)) {
    errno = why;
    return fd;
  }
  if (fd >= 0) ::close(fd);
  not_allowed(path);
}

}  // namespace

MediaKind kind_of_media(const std::string& path, const MediaRoots& roots) {
  const Descriptor held(hold_inside(path, roots));
  struct stat status;
  if (held.fd < 0 || fstat(held.fd, &status) != 0) return MediaKind::missing;
  if (S_ISDIR(status.st_mode)) return MediaKind::folder;
  return S_ISREG(status.st_mode) ? MediaKind::file : MediaKind::other;
}

void read_media_file(const std::string& path, const MediaRoots& roots, size_t max_bytes, std::vector<uint8_t>& bytes) {
  const auto unreadable = [&path] { fail("picture.corrupt", path + " cannot be read: " + std::strerror(errno)); };
  const Descriptor held(hold_inside(path, roots));
  struct stat status;
  if (held.fd < 0 || fstat(held.fd, &status) != 0) unreadable();
  if (!S_ISREG(status.st_mode)) fail("picture.corrupt", path + " is not a file of pictures");
  if (status.st_size == 0) fail("picture.corrupt", path + " is empty");
  if (static_cast<uint64_t>(status.st_size) > max_bytes)
    fail("picture.corrupt",
         path + " is longer than the " + std::to_string(max_bytes >> 20) + " MiB allowed for one picture");

  const Descriptor file(::open(own_link(held.fd).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) unreadable();
  bytes.resize(static_cast<size_t>(status.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable();
    if (got == 0) fail("picture.corrupt", path + " became shorter while it was read");
    done += static_cast<size_t>(got);
  }
}

MediaFile::MediaFile(const std::string& path, const MediaRoots& roots) {
  const Descriptor held(hold_inside(path, roots));
  struct stat status;
  if (held.fd < 0 || fstat(held.fd, &status) != 0)
    fail("camera.missing", "there is no file " + path + "; check the path of the source");
  if (!S_ISREG(status.st_mode)) fail("camera.unreadable", path + " is no file; name a video");
  if (status.st_size == 0) fail("camera.unreadable", path + " is empty");
  fd_ = ::open(own_link(held.fd).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) fail("camera.unreadable", path + " cannot be read: " + std::strerror(errno));
}

MediaFile::~MediaFile() { ::close(fd_); }

int64_t MediaFile::read(int64_t place, uint8_t* to, size_t most) const {
  for (;;) {
    const ssize_t got = ::pread(fd_, to, most, place);
    if (got >= 0 || errno != EINTR) return got;
  }
}

int64_t MediaFile::size() const {
  struct stat status;
  return fstat(fd_, &status) == 0 ? status.st_size : 0;
}

std::vector<std::string> list_media_folder(const std::string& path, const MediaRoots& roots) {
  const auto unreadable = [&path] {
    fail("camera.unreadable", "the folder " + path + " cannot be read: " + std::strerror(errno));
  };
  const Descriptor held(hold_inside(path, roots));
  if (held.fd < 0) unreadable();
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(own_link(held.fd).c_str()), ::closedir);
  if (!folder) unreadable();
  std::vector<std::string> names;
  for (errno = 0; const dirent* entry = ::readdir(folder.get()); errno = 0) names.emplace_back(entry->d_name);
  if (errno != 0) unreadable();
  return names;
}

}  // namespace vedette
