// The frames of one camera, used again and again: their buffers are as large as its pictures.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "frame.h"

namespace vedette {

/** The capture thread's. */
class FramePool {
 public:
  /** One that only the pool holds. The fence makes its last reader's work happen before ours. */
  std::shared_ptr<Frame> free_frame() {
    for (const auto& frame : frames_) {
      if (frame.use_count() != 1) continue;
      std::atomic_thread_fence(std::memory_order_acquire);
      if (lie_apart(frame->gray.pixels)) PixelBytes().swap(frame->gray.pixels);
      return frame;
    }
    frames_.push_back(std::make_shared<Frame>());
    return frames_.back();
  }

 private:
  std::vector<std::shared_ptr<Frame>> frames_;
};

}  // namespace vedette
