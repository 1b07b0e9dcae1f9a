#include "lamp_plan.h"

#include <algorithm>

namespace vedette::lamps {

void LampPlan::play(std::vector<Frame> frames, int64_t hold_us, int64_t now_us) {
  while (!frames_.empty() && frames_.back().at_us >= frames.front().at_us) frames_.pop_back();
  off_us_ = std::max(now_us, frames.back().at_us) + hold_us;
  for (Frame& each : frames) frames_.push_back(std::move(each));
}

Step LampPlan::step(int64_t now_us) {
  bool is_new = false;
  for (; !frames_.empty() && frames_.front().at_us <= now_us; frames_.pop_front()) {
    shown_ = std::move(frames_.front());
    is_new = true;
  }
  if (now_us >= off_us_) {
    clear();
    return {Step::off, nullptr};
  }
  return is_new ? Step{Step::show, &shown_} : Step{Step::nothing, nullptr};
}

int64_t LampPlan::next_us() const { return frames_.empty() ? off_us_ : frames_.front().at_us; }

void LampPlan::clear() {
  frames_.clear();
  off_us_ = NEVER;
}

}  // namespace vedette::lamps
