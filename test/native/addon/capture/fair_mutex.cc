// The mutex between a camera's thread and one that has much to copy.
#include "fair_mutex.h"

#include <atomic>
#include <thread>

#include "check.h"
#include "suites.h"

namespace vedette::test {

void test_fair_mutex() {
  test("who gives the mutex back and wants it again at once lets those go first who wait", [] {
    for (int n = 0; n < 200; n++) {
      FairMutex mutex;
      std::atomic<bool> was_there{false};
      mutex.lock();
      std::thread other([&] {
        mutex.lock();
        was_there = true;
        mutex.unlock();
      });
      while (!mutex.is_wanted()) std::this_thread::yield();
      mutex.unlock();
      mutex.lock();
      const bool went_first = was_there;
      mutex.unlock();
      other.join();
      expect(went_first, "he who waited still waits");
    }
    return std::string();
  });
}

}  // namespace vedette::test
