// A mutex that is had in the order in which it was asked for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace vedette {

/**
 * A thread that releases it and wants it again at once waits behind the others: std::mutex would let it have it almost
 * every time.
 */
class FairMutex {
 public:
  void lock() {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t own = last_++;
    turn_.wait(lock, [&] { return own == now_; });
  }

  void unlock() {
    const std::lock_guard<std::mutex> lock(mutex_);
    now_++;
    turn_.notify_all();
  }

  /** For its holder: whether others wait. */
  bool is_wanted() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_ > now_ + 1;
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  uint64_t last_ = 0, now_ = 0;
};

}  // namespace vedette
