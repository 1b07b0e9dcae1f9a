// The channels of one kind that this process has, by their numbers.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace vedette {

/** The plan is made on one thread, who does the work is on others: each finds a channel by its number. */
template <typename Channel>
class Channels {
 public:
  /** Those of the process; never destroyed, since threads may outlive main(). */
  static Channels& of_process() {
    static auto* all = new Channels;
    return *all;
  }

  int open(std::shared_ptr<Channel> channel) {
    const std::lock_guard<std::mutex> lock(mutex_);
    open_[++last_] = std::move(channel);
    return last_;
  }

  /** nullptr: there is none of that number. */
  std::shared_ptr<Channel> find(int number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = open_.find(number);
    return found == open_.end() ? nullptr : found->second;
  }

  /** It is not found any more; nullptr: it was not before. */
  std::shared_ptr<Channel> take(int number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = open_.find(number);
    if (found == open_.end()) return nullptr;
    std::shared_ptr<Channel> taken = std::move(found->second);
    open_.erase(found);
    return taken;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Channel>> open_;
  int last_ = 0;
};

}  // namespace vedette
