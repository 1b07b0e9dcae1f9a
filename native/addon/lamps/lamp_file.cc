#include "lamp_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace vedette::lamps {

std::string system_reason(const std::string& what) { return what + ": " + std::strerror(errno); }

std::string read_text(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw std::runtime_error(system_reason(path));
  char bytes[4096];
  const ssize_t length = read(fd, bytes, sizeof bytes);
  const std::string reason = length < 0 ? system_reason(path) : "";
  close(fd);
  if (length < 0) throw std::runtime_error(reason);
  std::string text(bytes, static_cast<size_t>(length));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

long read_number(const std::string& path) {
  const std::string text = read_text(path);
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') throw std::runtime_error(path + " holds no number");
  return number;
}

void write_text(const std::string& path, const std::string& text) { LampFile(path).write(text); }

LampFile::LampFile(std::string path) : path_(std::move(path)), fd_(open(path_.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (fd_ < 0) throw std::runtime_error(system_reason(path_));
  struct statfs where {};
  is_plain_ = fstatfs(fd_, &where) != 0 || where.f_type != SYSFS_MAGIC;
}

LampFile::~LampFile() { close(fd_); }

void LampFile::write(const std::string& text) {
  // the kernel's files take each write as a whole; of others the previous text may be longer
  if (is_plain_ && ftruncate(fd_, 0) != 0) throw std::runtime_error(system_reason(path_));
  if (pwrite(fd_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error(system_reason(path_));
}

}  // namespace vedette::lamps
