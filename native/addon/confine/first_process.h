// The first process inside: it builds the confinement, starts the program and buries what it leaves. When it ends, the
// kernel ends everything inside.
#pragma once

#include "confine_options.h"
#include "confine_report.h"
#include "new_root.h"

namespace vedette::confine {

/** What it is made with. */
struct FirstProcess {
  Options options;
  Report report;
  RootPlan root;
  /** Whether it has name spaces of its own; else only what a process can give up by itself holds. */
  bool has_namespaces;
  bool is_in_group;
  /** Whether it is the administrator outside, and becomes nobody there as well. */
  bool was_root;
  /** A byte comes when its user namespace has its names; its end is the end of the launcher. */
  int go_fd;
  /** Told why name spaces cannot be made, before anything is started; closed when all is made. */
  int trouble_fd;
};

/** Never returns. */
[[noreturn]] void run_first_process(FirstProcess made);

/** Nobody: who owns nothing. */
constexpr unsigned NOBODY = 65534;

}  // namespace vedette::confine
