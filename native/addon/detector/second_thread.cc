#include "second_thread.h"

#include <pthread.h>

#include <utility>

namespace vedette {

namespace {

constexpr const char* NAME = "worker";  // as native/addon/stream/runner.cc calls the thread that has the work

}  // namespace

SecondThread::SecondThread() : thread_([this] { run(); }) { pthread_setname_np(thread_.native_handle(), NAME); }

SecondThread::~SecondThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SecondThread::do_both(Call call, const void* work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = work;
    call_ = call;
  }
  changed_.notify_all();
  std::exception_ptr thrown_here;
  try {
    call(work, 0);
  } catch (...) {
    thrown_here = std::current_exception();  // what is done there may still use what would be gone
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !call_; });
  const std::exception_ptr thrown_there = std::exchange(thrown_, nullptr);
  if (const std::exception_ptr thrown = thrown_here ? thrown_here : thrown_there) std::rethrow_exception(thrown);
}

void SecondThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return call_ || is_over_; });
    if (!call_) return;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      call_(work_, 1);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    thrown_ = std::move(thrown);
    call_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace vedette
