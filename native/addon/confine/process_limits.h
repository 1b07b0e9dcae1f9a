// What a process and those that it starts may take, as far as the kernel counts it for each.
#pragma once

#include "confine_options.h"
#include "confine_report.h"

namespace vedette::confine {

/** Where memory ends, this process and all that it starts are ended before others. */
void be_ended_first();

/** Joins the control group that it was told, if any. Says whether that holds. */
Means join_group(const Options& options);

/**
 * Sets the limits of this process. is_counted_apart: it is in a user namespace of its own, where its processes are
 * counted.
 */
void limit_process(const Options& options, bool is_counted_apart, bool is_in_group, Report& report);

}  // namespace vedette::confine
