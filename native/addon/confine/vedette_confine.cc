// Starts a program that is not trusted, and holds it: `vedette-confine [options] -- PROGRAM ARGUMENTS`.
//
// The launcher stays outside. Inside are the first process of a process namespace, which is ours, and the program. The
// launcher ends with the program and as it did; when the launcher is ended, or who started it, all inside is ended by
// the kernel. Where there are no name spaces that is the launcher's work: SIGQUIT has it do it at once, and SIGKILL
// leaves it undone. What the program does to its files, its memory and its processes is held by what it cannot undo;
// what the kernel counts for no one together (memory and disk) is looked at from outside, and its end is the end of
// all.
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "confine_options.h"
#include "confine_report.h"
#include "first_process.h"
#include "new_root.h"
#include "process_limits.h"
#include "usage_watch.h"

namespace vedette::confine {
namespace {

constexpr int BAD_ORDER = 64, EXCESS = 75;
constexpr int LAST_OPEN_FD = 3;  // of those that every program has: the wire
constexpr long MAX_MEMORY_FOLDER_MB = 64;
constexpr timespec LOOK_EVERY{0, 200'000'000}, LET_THEM_END{0, 1'000'000};
constexpr int LOOKS_PER_DISK_LOOK = 5;

/** So that nothing of ours takes the place of one of the program's. */
void fill_places() {
  for (int fd = 0; fd <= LAST_OPEN_FD; fd++)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = LAST_OPEN_FD + 1;
  for (const int each : kept) {
    if (static_cast<unsigned>(each) < from) continue;
    if (static_cast<unsigned>(each) > from) syscall(SYS_close_range, from, static_cast<unsigned>(each) - 1, 0);
    from = static_cast<unsigned>(each) + 1;
  }
  syscall(SYS_close_range, from, ~0u, 0);
}

int to_nobody(const char* path, const struct stat*, int, FTW*) {
  [[maybe_unused]] const int done = lchown(path, NOBODY, NOBODY);
  return 0;
}

/** Nobody outside shall be able to write to them. */
void give_to_nobody(const std::vector<Place>& places) {
  for (const Place& each : places) nftw(each.source.c_str(), to_nobody, 16, FTW_PHYS | FTW_MOUNT);
}

bool write_text(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool is_whole = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return is_whole;
}

/** Gives the user namespace of a process its names: nobody inside is who started this, or nobody outside as well. */
bool name_users(pid_t inside, bool was_root) {
  const std::string folder = "/proc/" + std::to_string(inside);
  const std::string nobody = std::to_string(NOBODY);
  const std::string both = "0 0 1\n" + nobody + " " + nobody + " 1\n";
  if (!was_root && !write_text(folder + "/setgroups", "deny")) return false;
  return write_text(folder + "/uid_map", was_root ? both : nobody + " " + std::to_string(geteuid()) + " 1\n") &&
         write_text(folder + "/gid_map", was_root ? both : nobody + " " + std::to_string(getegid()) + " 1\n");
}

/** The launcher's side of a first process. */
struct Started {
  pid_t pid;
  int go_fd;
  /** Why name spaces could not be made; empty: they are. */
  std::string trouble;
  bool has_namespaces;
};

std::string read_all(int fd) {
  std::string text;
  char part[512];
  for (ssize_t count = 0; (count = read(fd, part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(count));
  return text;
}

Started start_first_process(FirstProcess made) {
  int go[2], trouble[2];
  if (pipe2(go, O_CLOEXEC) != 0 || pipe2(trouble, O_CLOEXEC) != 0) throw std::runtime_error(system_reason("pipe"));
  const unsigned long spaces =
      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | (made.options.has_network ? 0 : CLONE_NEWNET);
  const unsigned long flags = SIGCHLD | (made.has_namespaces ? spaces : 0);
  const pid_t pid = static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr));
  if (pid == 0) {
    close(go[1]);
    close(trouble[0]);
    made.go_fd = go[0];
    made.trouble_fd = trouble[1];
    run_first_process(made);
  }
  const std::string refused = pid < 0 ? system_reason("clone") : "";
  close(go[0]);
  close(trouble[1]);
  Started started{pid, go[1], refused, made.has_namespaces};
  if (pid > 0) {
    if (made.has_namespaces && !name_users(pid, made.was_root)) started.trouble = system_reason("uid_map");
    if (started.trouble.empty() && write(go[1], "", 1) == 1) started.trouble = read_all(trouble[0]);
  }
  close(trouble[0]);
  if (started.trouble.empty()) return started;
  close(started.go_fd);
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  return started;
}

Started start_confined(FirstProcess made) {
  made.has_namespaces = true;
  Report shared = made.report;
  made.report.push_back({"rights", true, "it is nobody, and has none"});
  const Started whole = start_first_process(made);
  if (whole.trouble.empty()) return whole;
  made.has_namespaces = false;
  made.report = shared;
  made.report.push_back({"rights", true, "it can get none that this service does not have"});
  made.report.push_back({"own processes", false, "it has no name spaces of its own: " + whole.trouble});
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const Started bare = start_first_process(made);
  if (!bare.trouble.empty()) throw std::runtime_error("the program cannot be confined: " + bare.trouble);
  return bare;
}

/** Also what has left its parents: without a namespace, that is this process's by now. */
void end_all_below(pid_t self) {
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (const pid_t each : processes_below(self))
      if (each != self && kill(each, SIGKILL) == 0) is_left = true;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (is_left) nanosleep(&LET_THEM_END, nullptr);
  }
}

void end_inside(pid_t first) {
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  end_all_below(getpid());
}

int look_after(const Started& started, const UsageLimits& limits, const sigset_t& heard, bool watches_memory) {
  for (int looks = 0;; looks++) {
    siginfo_t came{};
    const int signal = sigtimedwait(&heard, &came, &LOOK_EVERY);
    if (signal == SIGTERM || signal == SIGINT) kill(started.pid, SIGTERM);
    if (signal == SIGQUIT) {
      end_inside(started.pid);
      return 128 + SIGKILL;
    }
    if (signal == SIGCHLD) {
      int status = 0;
      if (waitpid(started.pid, &status, WNOHANG) == started.pid) {
        end_all_below(getpid());
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
    }
    const std::vector<pid_t> inside = processes_below(started.pid);
    std::string excess = watches_memory ? memory_excess(inside, limits) : "";
    if (excess.empty() && looks % LOOKS_PER_DISK_LOOK == 0) excess = disk_excess(inside, limits);
    if (excess.empty()) continue;
    end_inside(started.pid);
    std::fprintf(stderr, "\nvedette-confine: %s\n", excess.c_str());
    return EXCESS;
  }
}

int run(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  be_ended_first();
  fill_places();
  close_all_but(options.kept_fds);
  sigset_t heard;
  sigemptyset(&heard);
  for (const int each : {SIGTERM, SIGINT, SIGQUIT, SIGCHLD}) sigaddset(&heard, each);
  sigprocmask(SIG_BLOCK, &heard, nullptr);
  FirstProcess made{};
  made.options = options;
  made.was_root = geteuid() == 0;
  const long folder_mb = options.memory_mb > 0 ? options.memory_mb / 4 : MAX_MEMORY_FOLDER_MB;
  made.root = {system_places(), places_of(options.read), places_of(options.write),
               std::clamp(folder_mb, 1L, MAX_MEMORY_FOLDER_MB)};
  if (made.was_root) give_to_nobody(made.root.write);
  const Means group = join_group(options);
  made.is_in_group = group.holds;
  const Started started = start_confined(made);
  // what has left its parents would outlive this process: none but this one ends it
  if (!started.has_namespaces) prctl(PR_SET_PDEATHSIG, SIGQUIT, 0, 0, 0);
  for (const int each : {0, 1, 3}) close(each);  // they are the program's; what is said of its end goes to 2
  for (const int each : options.kept_fds) close(each);
  UsageLimits limits{options.memory_mb, options.disk_mb, {}, {}};
  for (const Place& each : made.root.write) {
    limits.folders.push_back(each.source);
    limits.names.insert(limits.names.end(), {each.source, each.target});
  }
  return look_after(started, limits, heard, !group.holds);
}

}  // namespace
}  // namespace vedette::confine

int main(int argc, char** argv) {
  try {
    return vedette::confine::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vedette-confine: %s\n", error.what());
    return vedette::confine::BAD_ORDER;
  }
}
