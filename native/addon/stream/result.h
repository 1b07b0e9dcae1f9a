// The result of one frame, packed as machines/engine/result.ts says.
#pragma once

#include <cstdint>
#include <vector>

#include "clock.h"
#include "pack.h"
#include "plan.h"

namespace vedette {

/** When a frame was taken up, on the worker's thread. */
struct Started {
  int64_t at_us = monotonic_us(), cpu_us = thread_cpu_us();
};

/**
 * What a result says besides its frame and what the plan found. skipped: frames that were captured and never processed.
 * has_truth: the source knows what it shows. is_too_full: as Moment says.
 */
struct ResultHead {
  Started started;
  int64_t skipped = 0, plan_number = 0;
  bool has_truth = false, is_too_full = false;
};

/** In place of what is in `out`. The frame ends now: by the clock, and by the CPU time of the calling thread. */
void pack_result(const Frame& frame, const Plan& plan, const ResultHead& head, std::vector<double>& out);

/** Appends what the frame shows of tags, then how many doubles that takes; 0: the plan looks for none. */
void append_observation(const Plan& plan, const Observed& how, std::vector<double>& out);

}  // namespace vedette
