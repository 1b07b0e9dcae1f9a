#include "new_root.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "confine_report.h"

namespace vedette::confine {
namespace {

constexpr const char* BASE = "/tmp";  // there is one everywhere; it is covered only until the new root is entered
constexpr const char* SYSTEM_FOLDERS[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"};
constexpr const char* SYSTEM_FILES[] = {
    "/etc/ld.so.cache",   "/etc/ld.so.conf", "/etc/ld.so.conf.d",    "/etc/alternatives", "/etc/localtime",
    "/etc/timezone",      "/etc/ssl/certs",  "/etc/ssl/openssl.cnf", "/etc/hosts",        "/etc/resolv.conf",
    "/etc/nsswitch.conf", "/etc/host.conf",  "/etc/gai.conf",        "/etc/services",     "/etc/protocols",
    "/etc/mime.types",    "/etc/python3.11", "/etc/python3.13"};
constexpr const char* DEVICES[] = {"null", "zero", "full", "random", "urandom"};

void must(bool is_done, const std::string& call) {
  if (!is_done) throw std::runtime_error(system_reason(call));
}

bool is_folder(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

/** With all folders above it. */
void make_folder(const std::string& path) {
  for (size_t at = 1; at != std::string::npos;) {
    at = path.find('/', at + 1);
    const std::string part = path.substr(0, at);
    must(mkdir(part.c_str(), 0755) == 0 || errno == EEXIST, "mkdir " + part);
  }
}

void make_file(const std::string& path, const std::string& text = "") {
  make_folder(path.substr(0, path.rfind('/')));
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  must(fd >= 0, "open " + path);
  const bool is_whole = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  must(is_whole, "write " + path);
}

/** Whatever is mounted below it becomes so as well. */
void restrict_mount(const std::string& path, uint64_t attributes, unsigned flags = AT_RECURSIVE) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  must(syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), flags, &wanted, sizeof wanted) == 0, "mount_setattr " + path);
}

void bind(const std::string& source, const std::string& target, uint64_t attributes) {
  if (is_folder(source)) make_folder(target);
  else make_file(target);
  must(mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0, "mount " + source);
  restrict_mount(target, attributes);
}

void make_memory_folder(const std::string& path, long size_mb) {
  make_folder(path);
  const std::string options = "mode=1777,nr_inodes=4096,size=" + std::to_string(size_mb) + "m";
  must(mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0, "mount tmpfs on " + path);
}

/** A new one shows the processes of its own namespace alone. Where others hide parts of theirs, there is none. */
bool make_proc(const std::string& path) {
  make_folder(path);
  const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
  return mount("proc", path.c_str(), "proc", flags, nullptr) == 0 ||
         mount("proc", path.c_str(), "proc", flags, "subset=pid") == 0;
}

void make_devices(const std::string& from, const std::string& to, long shm_mb) {
  for (const std::string name : DEVICES)
    bind(from + "/" + name, to + "/" + name, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
  must(symlink("/proc/self/fd", (to + "/fd").c_str()) == 0, "symlink /dev/fd");
  make_memory_folder(to + "/shm", shm_mb);
}

}  // namespace

std::vector<Place> places_of(const std::vector<std::string>& paths) {
  std::vector<Place> places;
  for (const std::string& path : paths) {
    char whole[PATH_MAX];
    must(realpath(path.c_str(), whole) != nullptr, path);
    places.push_back({whole, path});
  }
  return places;
}

std::vector<Place> system_places() {
  std::vector<Place> places;
  for (const std::string path : SYSTEM_FOLDERS) {
    char whole[PATH_MAX];
    if (realpath(path.c_str(), whole) != nullptr) places.push_back({whole, path});
  }
  for (const std::string path : SYSTEM_FILES) {
    char whole[PATH_MAX];
    if (realpath(path.c_str(), whole) != nullptr) places.push_back({whole, path});
  }
  return places;
}

void enter_new_root(const RootPlan& plan, bool& has_proc) {
  must(mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0, "mount / as slave");
  must(mount("tmpfs", BASE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") == 0, "mount tmpfs");
  must(chdir(BASE) == 0 && mkdir("new", 0755) == 0 && mkdir("old", 0755) == 0, "mkdir");
  must(syscall(SYS_pivot_root, ".", "old") == 0 && chdir("/") == 0, "pivot_root");
  must(mount("tmpfs", "/new", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") == 0, "mount tmpfs");
  const std::string old = "/old", fresh = "/new";
  constexpr uint64_t READ = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  constexpr uint64_t WRITE = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  make_memory_folder(fresh + "/tmp", plan.memory_folder_mb);  // first: others may lie in it
  make_devices(old + "/dev", fresh + "/dev", plan.memory_folder_mb);
  has_proc = make_proc(fresh + "/proc");
  for (const Place& each : plan.system) bind(old + each.source, fresh + each.target, READ);
  for (const Place& each : plan.read) bind(old + each.source, fresh + each.target, READ);
  for (const Place& each : plan.write) bind(old + each.source, fresh + each.target, WRITE);
  make_file(fresh + "/etc/passwd", "nobody:x:65534:65534:nobody:/tmp:/bin/false\n");
  make_file(fresh + "/etc/group", "nogroup:x:65534:\n");
  restrict_mount(fresh, READ, 0);
  must(umount2("/old", MNT_DETACH) == 0, "umount");
  must(chdir("/new") == 0 && syscall(SYS_pivot_root, ".", ".") == 0, "pivot_root");
  must(umount2(".", MNT_DETACH) == 0 && chdir("/") == 0, "umount");
}

}  // namespace vedette::confine
