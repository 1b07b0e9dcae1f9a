#include "usage_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace vedette::confine {
namespace {

constexpr size_t MAX_PROCESSES = 256;
constexpr int64_t MAX_ENTRIES = 20'000;  // to look at more would take from others
constexpr int64_t KIB = 1024, MIB = 1024 * 1024, BLOCK = 512;
constexpr int OPEN_AT_ONCE = 16;

std::string in_proc(pid_t pid, const std::string& name) { return "/proc/" + std::to_string(pid) + "/" + name; }

void add_children(pid_t of, std::vector<pid_t>& found) {
  DIR* threads = opendir(in_proc(of, "task").c_str());
  if (threads == nullptr) return;
  while (const dirent* thread = readdir(threads)) {
    if (thread->d_name[0] == '.') continue;
    std::ifstream children(in_proc(of, "task/" + std::string(thread->d_name) + "/children"));
    for (pid_t child = 0; children >> child && found.size() < MAX_PROCESSES;) found.push_back(child);
  }
  closedir(threads);
}

/** Kibibytes of one line of its status. */
int64_t memory_of(pid_t pid) {
  std::ifstream status(in_proc(pid, "status"));
  int64_t kib = 0;
  for (std::string line; std::getline(status, line);)
    for (const char* name : {"RssAnon:", "RssShmem:", "VmSwap:"})
      if (line.rfind(name, 0) == 0) kib += std::strtoll(line.c_str() + std::strlen(name), nullptr, 10);
  return kib;
}

// nftw takes no argument for its visitor.
int64_t visited_bytes = 0, visited_entries = 0;
bool is_locked = false;

/** A folder counts as locked by its own rights: the administrator may look into each. */
int visit(const char*, const struct stat* found, int kind, FTW*) {
  constexpr mode_t OPEN = S_IRUSR | S_IXUSR;
  is_locked = is_locked || ((kind == FTW_D || kind == FTW_DNR) && (found->st_mode & OPEN) != OPEN);
  visited_entries += 1;
  visited_bytes += static_cast<int64_t>(found->st_blocks) * BLOCK / (found->st_nlink > 1 ? found->st_nlink : 1);
  return is_locked || visited_entries > MAX_ENTRIES ? 1 : 0;
}

using Inodes = std::set<ino_t>;

/**
 * Files that have no name any more, once for each process that has them open: more than there is, never less. inodes:
 * theirs are added.
 */
int64_t deleted_bytes(pid_t pid, Inodes& inodes) {
  const std::string folder = in_proc(pid, "fd");
  DIR* open_files = opendir(folder.c_str());
  if (open_files == nullptr) return 0;
  int64_t bytes = 0;
  while (const dirent* each = readdir(open_files)) {
    struct stat found {};
    if (fstatat(dirfd(open_files), each->d_name, &found, 0) != 0 || !S_ISREG(found.st_mode) || found.st_nlink != 0)
      continue;
    bytes += static_cast<int64_t>(found.st_blocks) * BLOCK;
    inodes.insert(found.st_ino);
  }
  closedir(open_files);
  return bytes;
}

bool begins_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/** Adds the files of these folders that have no name any more and lie in its memory. */
void add_mapped(pid_t pid, const std::vector<std::string>& folders, Inodes& inodes) {
  const std::string deleted = " (deleted)";
  std::ifstream mappings(in_proc(pid, "maps"));
  for (std::string line; std::getline(mappings, line);) {
    if (line.size() < deleted.size() || line.compare(line.size() - deleted.size(), deleted.size(), deleted) != 0)
      continue;
    std::istringstream fields(line);
    std::string range, rights, offset, device, path;
    ino_t inode = 0;
    fields >> range >> rights >> offset >> device >> inode >> std::ws;
    std::getline(fields, path);
    for (const std::string& folder : folders)
      if (begins_with(path, folder + "/")) inodes.insert(inode);
  }
}

/** Of these files those that nobody has open, so that nobody is told how long they are. */
Inodes hidden_files(const std::vector<pid_t>& processes, const std::vector<std::string>& folders) {
  Inodes open_files, hidden;
  for (const pid_t each : processes) deleted_bytes(each, open_files);
  for (const pid_t each : processes) add_mapped(each, folders, hidden);
  for (const ino_t each : open_files) hidden.erase(each);
  return hidden;
}

/** Found twice: one that is being opened or closed meanwhile is not. */
bool hides_files(const std::vector<pid_t>& processes, const std::vector<std::string>& folders) {
  const Inodes once = hidden_files(processes, folders);
  if (once.empty()) return false;
  const Inodes again = hidden_files(processes, folders);
  return std::any_of(again.begin(), again.end(), [&](ino_t each) { return once.count(each) > 0; });
}

}  // namespace

std::vector<pid_t> processes_below(pid_t first) {
  std::vector<pid_t> found{first};
  for (size_t at = 0; at < found.size(); at++) add_children(found[at], found);
  return found;
}

std::string memory_excess(const std::vector<pid_t>& processes, const UsageLimits& limits) {
  if (limits.memory_mb <= 0) return "";
  int64_t kib = 0;
  for (const pid_t each : processes) kib += memory_of(each);
  if (kib <= limits.memory_mb * KIB) return "";
  return "it took " + std::to_string(kib / KIB) + " MB of memory, and " + std::to_string(limits.memory_mb) +
         " MB are its limit";
}

std::string disk_excess(const std::vector<pid_t>& processes, const UsageLimits& limits) {
  if (limits.disk_mb <= 0) return "";
  visited_bytes = visited_entries = 0;
  is_locked = false;
  for (const std::string& folder : limits.folders) nftw(folder.c_str(), visit, OPEN_AT_ONCE, FTW_PHYS | FTW_MOUNT);
  if (is_locked) return "it keeps a folder that nobody may look into, so that what lies in it cannot be counted";
  if (visited_entries > MAX_ENTRIES) return "it keeps more than " + std::to_string(MAX_ENTRIES) + " files";
  Inodes inodes;
  for (const pid_t each : processes) visited_bytes += deleted_bytes(each, inodes);
  if (hides_files(processes, limits.names))
    return "it has a file in its memory that it has deleted and closed, which cannot be counted";
  if (visited_bytes <= limits.disk_mb * MIB) return "";
  return "its files take " + std::to_string(visited_bytes / MIB) + " MB, and " + std::to_string(limits.disk_mb) +
         " MB are its limit";
}

}  // namespace vedette::confine
