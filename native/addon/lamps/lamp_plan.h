// Frames and their moments: what is to be shown when. Knows no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace vedette::lamps {

/** at_us: CLOCK_MONOTONIC. bytes: one for each channel of all outputs. */
struct Frame {
  int64_t at_us;
  std::vector<uint8_t> bytes;
};

/** What there is to do at a moment. frame: show this; valid until the plan is told something. */
struct Step {
  enum { nothing, show, off } what;
  const Frame* frame;
};

class LampPlan {
 public:
  /** No moment at all. */
  static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

  /** Forgets what was planned for the first of these frames or later. frames: ascending, at least one. */
  void play(std::vector<Frame> frames, int64_t hold_us, int64_t now_us);

  /** What there is to do now. Of several frames whose moment has come, the last one. */
  Step step(int64_t now_us);

  /** When there is something to do. */
  int64_t next_us() const;

  /** Forgets everything. */
  void clear();

  /** Whether something is planned or shown. */
  bool is_active() const { return off_us_ != NEVER; }

  size_t waiting() const { return frames_.size(); }

 private:
  std::deque<Frame> frames_;
  Frame shown_{};
  int64_t off_us_ = NEVER;
};

}  // namespace vedette::lamps
