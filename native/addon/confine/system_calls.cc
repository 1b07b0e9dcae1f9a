#include "system_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "confine_report.h"

namespace vedette::confine {
namespace {

#if defined(__x86_64__)
constexpr unsigned ARCHITECTURE = AUDIT_ARCH_X86_64;
constexpr unsigned FIRST_OF_X32 = 0x40000000;
#elif defined(__aarch64__)
constexpr unsigned ARCHITECTURE = AUDIT_ARCH_AARCH64;
#else
#error "no list of system calls for this processor"
#endif

constexpr unsigned REFUSED[] = {
    // other name spaces, other roots
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_mount_setattr, SYS_move_mount,
    SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick,
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
    // memory that belongs to no process that could be counted
    SYS_memfd_create, SYS_shmget, SYS_msgget, SYS_semget,
    // whole interfaces beside the one that is looked after
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_quotactl, SYS_syslog, SYS_acct, SYS_swapon, SYS_reboot,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_open_by_handle_at, SYS_name_to_handle_at,
    SYS_fanotify_init, SYS_mlockall};

constexpr unsigned ALLOW = SECCOMP_RET_ALLOW;
constexpr unsigned REFUSE = SECCOMP_RET_ERRNO | EPERM;
constexpr unsigned UNKNOWN = SECCOMP_RET_ERRNO | ENOSYS;

using Filter = std::vector<sock_filter>;

/** Of an argument, its lower half, which is all that these have. */
constexpr unsigned argument(int number) { return offsetof(seccomp_data, args) + 8u * static_cast<unsigned>(number); }

void load(Filter& filter, unsigned offset) { filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }

void answer(Filter& filter, unsigned action) { filter.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

void answer_if(Filter& filter, unsigned value, unsigned action) {
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  answer(filter, action);
}

/** Looks at an argument of one call. body: ends with an answer for each value. */
template <typename Body>
void for_call(Filter& filter, unsigned call, int number, const Body& body) {
  Filter inner;
  load(inner, argument(number));
  body(inner);
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, static_cast<uint8_t>(inner.size())));
  filter.insert(filter.end(), inner.begin(), inner.end());
}

Filter filter_for(const CallRules& rules) {
  Filter filter;
  load(filter, offsetof(seccomp_data, arch));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  answer(filter, SECCOMP_RET_KILL_PROCESS);
  load(filter, offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_OF_X32, 0, 1));
  answer(filter, UNKNOWN);
#endif
  for (const unsigned call : REFUSED) answer_if(filter, call, REFUSE);
  answer_if(filter, SYS_clone3, UNKNOWN);  // its flags cannot be looked at; libraries go on with clone
  for_call(filter, SYS_clone, 0, [](Filter& inner) {
    inner.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID, 0, 1));
    answer(inner, REFUSE);
    answer(inner, ALLOW);
  });
  // a process that is not to be looked into would hide what it has open
  for_call(filter, SYS_prctl, 0, [](Filter& inner) {
    answer_if(inner, PR_SET_DUMPABLE, REFUSE);
    answer(inner, ALLOW);
  });
  for_call(filter, SYS_socket, 0, [&](Filter& inner) {
    if (rules.has_own_files) answer_if(inner, AF_UNIX, ALLOW);
    if (rules.has_network) {
      answer_if(inner, AF_INET, ALLOW);
      answer_if(inner, AF_INET6, ALLOW);
      answer_if(inner, AF_NETLINK, ALLOW);
    }
    answer(inner, SECCOMP_RET_ERRNO | EACCES);
  });
  answer(filter, ALLOW);
  return filter;
}

}  // namespace

std::string restrict_calls(const CallRules& rules) {
  Filter filter = filter_for(rules);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  const bool is_done =
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  return is_done ? "" : system_reason("seccomp");
}

}  // namespace vedette::confine
