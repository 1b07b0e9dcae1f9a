// Keeps a worker that needs too much memory from ending the process.
#pragma once

#include <functional>
#include <memory>

namespace vedette {

/**
 * For the JavaScript of the calling thread, as long as it is there. When its heap comes to its limit, what it runs is
 * stopped and `full` is called, which must lock nothing and call no JavaScript; the owner of the thread is to end it.
 *
 * Node's own limit for workers leaves 16 MB for the allocation that exceeds it. One list that grows needs more, and
 * then V8 ends the process.
 */
class HeapGuard {
 public:
  explicit HeapGuard(std::function<void()> full);
  /** On the same thread. */
  ~HeapGuard();
  HeapGuard(const HeapGuard&) = delete;
  HeapGuard& operator=(const HeapGuard&) = delete;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace vedette
