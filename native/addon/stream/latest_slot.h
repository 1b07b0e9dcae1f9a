// A hand-over between two threads in which the newest value wins, or, for those who need each, the giver waits for the
// taker.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace vedette {

template <typename T>
class LatestSlot {
 public:
  /** True when a value that nobody took has been replaced. */
  bool put(T value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool replaced = value_.has_value();
    value_ = std::move(value);
    changed_.notify_one();
    return replaced;
  }

  /** What lies there and nobody has taken. Never waits. */
  std::optional<T> take_back() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(value_, std::nullopt);
  }

  /** Waits until there is room instead of replacing anything. False when the slot was closed meanwhile. */
  bool put_in_turn(T value) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !value_ || closed_; });
    if (closed_) return false;
    value_ = std::move(value);
    changed_.notify_all();
    return true;
  }

  /** Waits for a value. None: the slot was closed, or was finished and is empty. */
  std::optional<T> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return value_ || finished_ || closed_; });
    if (closed_) return std::nullopt;
    std::optional<T> taken = std::exchange(value_, std::nullopt);
    changed_.notify_all();
    return taken;
  }

  /** No more values come; the last may still be taken. */
  void finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }

  /** Ends all taking at once. */
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<T> value_;
  bool finished_ = false, closed_ = false;
};

}  // namespace vedette
