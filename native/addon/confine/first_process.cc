#include "first_process.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "landlock.h"
#include "process_limits.h"
#include "system_calls.h"

namespace vedette::confine {
namespace {

constexpr int NO_NAMESPACES = 71, NOT_STARTED = 127;

[[noreturn]] void give_up(int trouble_fd, const std::string& why) {
  [[maybe_unused]] const ssize_t written = write(trouble_fd, why.data(), why.size());
  _exit(NO_NAMESPACES);
}

/** Gives up all rights in its user namespace; those outside it never had. */
void drop_rights(bool was_root) {
  for (int right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  if (was_root &&
      (setgroups(0, nullptr) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
    throw std::runtime_error(system_reason("setresuid"));
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  syscall(SYS_capset, &header, none);  // a filter of the service may refuse it: execve drops them as well
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) throw std::runtime_error(system_reason("no_new_privs"));
}

std::vector<std::string> targets_of(const std::vector<Place>& places) {
  std::vector<std::string> targets;
  for (const Place& each : places) targets.push_back(each.target);
  return targets;
}

FileRules file_rules(const FirstProcess& made) {
  FileRules rules{targets_of(made.root.system), targets_of(made.root.write), made.options.has_network};
  for (const std::string& each : targets_of(made.root.read)) rules.read.push_back(each);
  rules.read.insert(rules.read.end(), {"/proc", "/etc/passwd", "/etc/group", "/dev/urandom", "/dev/random"});
  rules.write.insert(rules.write.end(), {"/dev/null", "/dev/zero", "/dev/full"});
  if (made.has_namespaces) rules.write.insert(rules.write.end(), {"/tmp", "/dev/shm"});
  return rules;
}

/** Gives up what is given up for good, the last before the program. */
void confine_self(const FirstProcess& made, Report& report) {
  const std::string no_landlock = restrict_files(file_rules(made));
  const bool holds = made.has_namespaces || no_landlock.empty();
  const std::string how = made.has_namespaces   ? no_landlock.empty() ? "a file system of its own, and Landlock"
                                                                      : "a file system of its own; " + no_landlock
                          : no_landlock.empty() ? "Landlock"
                                                : "it may read what this service may: " + no_landlock;
  report.push_back({"files", holds, how});
  const std::string no_filter = restrict_calls({made.options.has_network, made.has_namespaces});
  const bool is_filtered = no_filter.empty();
  report.push_back({"system calls", is_filtered, is_filtered ? "a list of those refused" : no_filter});
  if (made.options.has_network) report.push_back({"network", false, "it was granted the network"});
  else
    report.push_back({"network", made.has_namespaces || is_filtered,
                      made.has_namespaces ? "it has none"
                      : is_filtered       ? "it can make no socket"
                                          : "it has that of this service: " + no_filter});
}

[[noreturn]] void become_program(const FirstProcess& made, Report report) {
  setsid();
  confine_self(made, report);
  tell(report);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const Options& options = made.options;
  const std::string cwd = !options.cwd.empty() ? options.cwd : options.read.empty() ? "/" : options.read.front();
  if (chdir(cwd.c_str()) != 0) std::fprintf(stderr, "%s\n", system_reason(cwd).c_str());
  std::vector<char*> arguments;
  for (const std::string& each : options.program) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "%s cannot be started: %s\n", arguments[0], std::strerror(errno));
  _exit(NOT_STARTED);
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) _exit(128 + WTERMSIG(status));
  _exit(WEXITSTATUS(status));
}

/** Buries all that ends, until the program does. */
void bury(pid_t program) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended <= 0) return;
    if (ended == program) end_as(status);
  }
}

[[noreturn]] void look_after(pid_t program, int signals, int go_fd) {
  for (;;) {
    pollfd watched[] = {{signals, POLLIN, 0}, {go_fd, POLLIN, 0}};
    poll(watched, 2, -1);
    if (watched[1].revents != 0) _exit(0);  // the launcher has ended
    signalfd_siginfo came{};
    if (read(signals, &came, sizeof came) != sizeof came) continue;
    if (came.ssi_signo == SIGCHLD) bury(program);
    else kill(program, SIGTERM);
  }
}

}  // namespace

void run_first_process(FirstProcess made) {
  char go = 0;
  if (read(made.go_fd, &go, 1) != 1) _exit(0);
  Report report = made.report;
  try {
    if (made.has_namespaces) {
      bool has_proc = false;
      enter_new_root(made.root, has_proc);
      report.push_back({"own processes", true, has_proc ? "it sees its own alone" : "it sees none, and has no /proc"});
    }
    limit_process(made.options, made.has_namespaces, made.is_in_group, report);
    drop_rights(made.was_root);
  } catch (const std::exception& error) {
    give_up(made.trouble_fd, error.what());
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  sigprocmask(SIG_BLOCK, &heard, nullptr);
  const int signals = signalfd(-1, &heard, SFD_CLOEXEC);
  const pid_t program = fork();
  if (program < 0) give_up(made.trouble_fd, system_reason("fork"));
  if (program == 0) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    become_program(made, report);
  }
  for (const int each : {0, 1, 2, 3}) close(each);  // they are the program's
  for (const int each : made.options.kept_fds) close(each);
  close(made.trouble_fd);
  look_after(program, signals, made.go_fd);
}

}  // namespace vedette::confine
