// What a robot says to a stream, from whichever thread that comes. It outlives openings of the camera.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "heading_log.h"
#include "live.h"

namespace vedette {

class RobotInput : public RobotYaws {
 public:
  RobotInput() = default;
  RobotInput(const RobotInput&) = delete;
  RobotInput& operator=(const RobotInput&) = delete;

  /** In place of what it said before. */
  void set_live(LiveControls live) {
    auto next = std::make_shared<const LiveControls>(std::move(live));
    const std::lock_guard<std::mutex> lock(mutex_);
    live_.swap(next);  // what was before ends without the lock
  }

  /** What it said last. */
  std::shared_ptr<const LiveControls> live() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return live_;
  }

  void add_heading(const Heading& heading) {
    const std::lock_guard<std::mutex> lock(mutex_);
    headings_.add(heading);
  }

  /** As HeadingLog::at. */
  std::optional<RobotYaw> yaw_at(int64_t at_us) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return headings_.at(at_us);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const LiveControls> live_ = std::make_shared<const LiveControls>();
  HeadingLog headings_;
};

}  // namespace vedette
