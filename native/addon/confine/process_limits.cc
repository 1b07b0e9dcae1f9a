#include "process_limits.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace vedette::confine {
namespace {

constexpr rlim_t MIB = 1024 * 1024;
constexpr rlim_t MAX_FILES = 256;
constexpr rlim_t STACK = 8 * MIB;
constexpr rlim_t OTHERS_TO_COME = 64;  // engines and their threads, which count to the same user
constexpr rlim_t MANY_THREADS = 512;
constexpr rlim_t OWN_PROCESSES = 1;  // the first one of its namespace, which is ours

/** All threads of this user, as the kernel counts them where this has no user namespace of its own. */
rlim_t threads_of_user() {
  rlim_t threads = 0;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return MANY_THREADS;
  while (const dirent* each = readdir(processes)) {
    std::ifstream status("/proc/" + std::string(each->d_name) + "/status");
    bool is_ours = false;
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("Uid:", 0) == 0) is_ours = std::strtoul(line.c_str() + 4, nullptr, 10) == getuid();
      if (is_ours && line.rfind("Threads:", 0) == 0) threads += std::strtoul(line.c_str() + 8, nullptr, 10);
    }
  }
  closedir(processes);
  return threads;
}

bool limit(int resource, rlim_t value) {
  const rlimit wanted{value, value};
  return setrlimit(static_cast<__rlimit_resource>(resource), &wanted) == 0;
}

/** It has what others leave. */
bool be_last() {
  const sched_param none{};
  return setpriority(PRIO_PROCESS, 0, 19) == 0 && sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

}  // namespace

void be_ended_first() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = write(fd, "1000", 4);
  close(fd);
}

Means join_group(const Options& options) {
  if (options.cgroup.empty()) return {"group", false, "this service has no control group that it may divide"};
  const std::string path = options.cgroup + "/cgroup.procs";
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool has_joined = fd >= 0 && write(fd, "0", 1) == 1;
  const std::string why = has_joined ? "a control group of its own" : system_reason(path);
  if (fd >= 0) close(fd);
  return {"group", has_joined, why};
}

void limit_process(const Options& options, bool is_counted_apart, bool is_in_group, Report& report) {
  bool is_done = limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, MAX_FILES) && limit(RLIMIT_STACK, STACK) &&
                 limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_NICE, 0) &&
                 limit(RLIMIT_RTPRIO, 0);
  const rlim_t disk = static_cast<rlim_t>(options.disk_mb) * MIB;
  if (disk > 0) is_done = limit(RLIMIT_FSIZE, disk) && is_done;
  report.push_back({"files opened", is_done, is_done ? "at most 256 at once" : system_reason("setrlimit")});
  if (options.processes > 0) {
    const rlim_t others = is_counted_apart ? OWN_PROCESSES : threads_of_user() + OTHERS_TO_COME;
    const bool has = limit(RLIMIT_NPROC, static_cast<rlim_t>(options.processes) + others);
    report.push_back({"processes", has, has ? "counted by the kernel, threads as well" : system_reason("setrlimit")});
  }
  if (options.memory_mb > 0) {
    const std::string how = is_in_group ? "of its group, by the kernel" : "looked at five times a second";
    report.push_back({"memory", true, how});
  }
  if (options.disk_mb > 0)
    report.push_back({"disk", true, "each file by the kernel, all of them looked at every second"});
  if (is_in_group && options.is_last) setpriority(PRIO_PROCESS, 0, 10);
  if (!options.is_last) setpriority(PRIO_PROCESS, 0, 0);
  if (is_in_group) {
    report.push_back({"processor", true, "a share of its group, by the kernel"});
  } else if (!options.is_last) {
    report.push_back({"processor", false, "it is waited for, so that it is as any other program"});
  } else {
    const bool is_last = be_last();
    const std::string how = "no share is set, as it has no control group; it gets what all others leave";
    report.push_back({"processor", is_last, is_last ? how : system_reason("sched_setscheduler")});
  }
}

}  // namespace vedette::confine
