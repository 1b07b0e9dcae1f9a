#include "result.h"

namespace vedette {

namespace {

constexpr size_t FINISHED = 3, CPU = 7;  // what is known last of all

}  // namespace

void pack_result(const Frame& frame, const Plan& plan, const ResultHead& head, std::vector<double>& out) {
  out.assign({static_cast<double>(frame.seq), static_cast<double>(frame.captured_us),
              static_cast<double>(head.started.at_us), 0, static_cast<double>(frame.width),
              static_cast<double>(frame.height), static_cast<double>(head.skipped), 0,
              static_cast<double>(head.plan_number), static_cast<double>(head.is_too_full)});
  out.insert(out.end(), plan.stage_us().begin(), plan.stage_us().end());
  for (const Value* value : plan.outputs()) pack_rows(*value, out);
  if (head.has_truth) pack_truth(frame, out);
  out[FINISHED] = static_cast<double>(monotonic_us());
  out[CPU] = static_cast<double>(thread_cpu_us() - head.started.cpu_us);
}

void append_observation(const Plan& plan, const Observed& how, std::vector<double>& out) {
  const size_t before = out.size();
  if (const Points* points = plan.observed()) pack_observation(*points, how, out);
  out.push_back(static_cast<double>(out.size() - before));
}

}  // namespace vedette
