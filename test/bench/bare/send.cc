// The bare minimum that the video server is measured against: the same MJPEG bytes to every client by plain send(), one
// thread, one loop.
//
//   send FILE [--fps F] [--clients N] [--frames K] [--beside US]
//
// Listens on a free port of 127.0.0.1 and prints it, waits for N connections, sends K frames of FILE to each, then
// prints one line of JSON: { clients, frames, bytes, cpu_us, skipped }.
//
// --beside: a thread of that name computes for so long with each frame, woken just before that is sent, as a decoder is
// that gets the same frame. What a send takes depends on what the processors do meanwhile, and did before
// (docs/decisions/0173-what-viewers-cost.md); so both sides have the same company. Its time is not that of the sends.
#include <pthread.h>

#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "bare_server.h"

namespace {

class Beside {
 public:
  explicit Beside(int64_t us) : us_(us) {
    if (us > 0) std::thread([this] { run(); }).detach();
  }
  void wake() {
    if (us_ == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    is_woken_ = true;
    woken_.notify_one();
  }

 private:
  void run() {
    pthread_setname_np(pthread_self(), "beside");
    for (volatile unsigned sum = 0;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      woken_.wait(lock, [this] { return is_woken_; });
      is_woken_ = false;
      lock.unlock();
      const int64_t end_ns = bare::now_ns(CLOCK_THREAD_CPUTIME_ID) + us_ * 1000;
      while (bare::now_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
        for (unsigned i = 0; i < 1000; i++) sum = sum + i;
    }
  }

  const int64_t us_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_woken_ = false;
};

}  // namespace

int main(int count, char** words) {
  std::string path;
  double fps = 30;
  size_t wanted = 1;
  int frames = 300, beside_us = 0;
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : "0";
    if (word == "--fps") fps = std::atof(value), i++;
    else if (word == "--clients") wanted = static_cast<size_t>(std::atoi(value)), i++;
    else if (word == "--frames") frames = std::atoi(value), i++;
    else if (word == "--beside") beside_us = std::atoi(value), i++;
    else path = word;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string jpeg{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (jpeg.empty() || fps <= 0) {
    std::fprintf(stderr, "send: name a JPEG file and a rate above 0\n");
    return 1;
  }
  const std::string part = bare::part_of(jpeg.data(), jpeg.size());
  std::vector<bare::Client> clients = bare::accept_clients(bare::listen_anywhere(), wanted);

  static Beside beside(beside_us);  // until the program ends
  const auto period_ns = static_cast<int64_t>(1e9 / fps);
  const int64_t start_ns = bare::now_ns(CLOCK_MONOTONIC), cpu_start_ns = bare::now_ns(CLOCK_PROCESS_CPUTIME_ID);
  long skipped = 0;
  for (int frame = 0; frame < frames; frame++) {
    bare::finish_until(start_ns + frame * period_ns, -1, clients, part);
    beside.wake();
    for (bare::Client& client : clients) {
      if (client.sent != 0) skipped++;
      else bare::push(client, part);
    }
  }
  const int64_t cpu_ns = bare::now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_ns;
  std::printf("{\"clients\":%zu,\"frames\":%d,\"bytes\":%zu,\"cpu_us\":%lld,\"skipped\":%ld}\n", clients.size(), frames,
              part.size(), static_cast<long long>(cpu_ns / 1000), skipped);
}
