// A thread that takes a part of the work of another one.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace vedette {

/**
 * Sleeps while there is nothing to do. For one thread that gives it work; what it does is counted to those that run the
 * pipeline (native/engine/threads.ts).
 */
class SecondThread {
 public:
  /** Throws std::system_error where the system has no room for a thread. */
  SecondThread();
  ~SecondThread();
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

  /**
   * Calls work(0) here and work(1) there, and comes back when both are done. Throws what one of them has thrown, the
   * one here first.
   */
  template <typename Work>
  void both(const Work& work) {
    do_both([](const void* of, int part) { (*static_cast<const Work*>(of))(part); }, &work);
  }

 private:
  using Call = void (*)(const void* work, int part);

  void do_both(Call call, const void* work);
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  Call call_ = nullptr;  // while there is something to do
  const void* work_ = nullptr;
  std::exception_ptr thrown_;
  bool is_over_ = false;
  std::thread thread_;  // the last, so that it finds the others
};

/** As `both`; second: nullptr: there is one part of the work, and it is done here. */
template <typename Work>
void in_parts(SecondThread* second, const Work& work) {
  if (second) second->both(work);
  else work(0);
}

}  // namespace vedette
