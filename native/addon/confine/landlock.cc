#include "landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "confine_report.h"

namespace vedette::confine {
namespace {

// The headers of the oldest system that this is built on know less than the kernels that it runs on.
constexpr long CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446;
constexpr unsigned ASK_VERSION = 1, BENEATH_PATH = 1;

struct Ruleset {
  uint64_t handled_files;
  uint64_t handled_network;
  uint64_t scoped;
};

struct __attribute__((packed)) Beneath {
  uint64_t allowed;
  int32_t parent;
};

constexpr uint64_t EXECUTE = 1, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3;
constexpr uint64_t TRUNCATE = 1 << 14, IOCTL_DEVICE = 1 << 15;
constexpr uint64_t READ = EXECUTE | READ_FILE | READ_FOLDER;
constexpr uint64_t OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE;
constexpr uint64_t BIND_TCP = 1, CONNECT_TCP = 2;
constexpr uint64_t ABSTRACT_SOCKETS = 1, SIGNALS = 2;

/** The rights over files that each version brought. */
uint64_t known_rights(long version) {
  uint64_t rights = (1 << 13) - 1;
  if (version >= 2) rights |= 1 << 13;
  if (version >= 3) rights |= TRUNCATE;
  if (version >= 5) rights |= IOCTL_DEVICE;
  return rights;
}

size_t ruleset_bytes(long version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }

bool allow(int ruleset, const std::string& path, uint64_t rights) {
  const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT || errno == EACCES;
  struct stat found {};
  const bool is_folder = fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
  const Beneath rule{is_folder ? rights : rights & OF_FILES, fd};
  const bool is_done = syscall(ADD_RULE, ruleset, BENEATH_PATH, &rule, 0) == 0;
  close(fd);
  return is_done;
}

}  // namespace

std::string restrict_files(const FileRules& rules) {
  const long version = syscall(CREATE_RULESET, nullptr, 0, ASK_VERSION);
  if (version < 1) return "this kernel has no Landlock";
  const uint64_t all = known_rights(version);
  const Ruleset wanted{all, rules.has_network ? 0 : BIND_TCP | CONNECT_TCP, ABSTRACT_SOCKETS | SIGNALS};
  const int ruleset = static_cast<int>(syscall(CREATE_RULESET, &wanted, ruleset_bytes(version), 0));
  if (ruleset < 0) return system_reason("landlock_create_ruleset");
  bool is_done = true;
  for (const std::string& path : rules.read) is_done = allow(ruleset, path, READ) && is_done;
  for (const std::string& path : rules.write) is_done = allow(ruleset, path, all & ~EXECUTE) && is_done;
  is_done = is_done && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, ruleset, 0) == 0;
  const std::string why = is_done ? "" : system_reason("landlock");
  close(ruleset);
  return why;
}

}  // namespace vedette::confine
