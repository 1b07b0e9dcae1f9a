// What it costs to show a picture that a camera made: how often memory is asked for, and the kernel.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <new>
#include <regex>

#include "connection.h"
#include "pass_through.h"

namespace {

/** Of this thread, while it counts. */
struct Asked {
  int memory = 0, sending = 0, other_calls = 0;
};
thread_local Asked asked;

constexpr size_t LARGE_BYTES = 4'000'000;  // more than a connection takes at once
std::atomic<int> asked_for_large{0};       // by all threads

}  // namespace

// In place of the C library's, for everybody in this program.
__attribute__((noinline)) void* operator new(size_t size) {
  asked.memory++;
  if (size >= LARGE_BYTES) asked_for_large++;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, size_t) noexcept { std::free(memory); }

extern "C" {
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  asked.sending++;
  return syscall(SYS_sendmsg, fd, message, flags);
}
ssize_t write(int fd, const void* bytes, size_t count) {
  asked.other_calls++;
  return syscall(SYS_write, fd, bytes, count);
}
int ioctl(int fd, unsigned long request, ...) noexcept {
  asked.other_calls++;
  va_list rest;
  va_start(rest, request);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return static_cast<int>(syscall(SYS_ioctl, fd, request, argument));
}
int setsockopt(int fd, int level, int name, const void* value, socklen_t length) noexcept {
  asked.other_calls++;
  return static_cast<int>(syscall(SYS_setsockopt, fd, level, name, value, length));
}
int getsockopt(int fd, int level, int name, void* value, socklen_t* length) noexcept {
  asked.other_calls++;
  return static_cast<int>(syscall(SYS_getsockopt, fd, level, name, value, length));
}
int epoll_ctl(int epoll, int what, int fd, epoll_event* event) noexcept {
  asked.other_calls++;
  return static_cast<int>(syscall(SYS_epoll_ctl, epoll, what, fd, event));
}
}

namespace vedette::test {
namespace {

constexpr int VIEWERS = 4;
constexpr int MAX_WAIT_MS = 30'000;

/** A stream whose camera makes JPEGs of at least so many bytes, and some who watch it. */
class Shown {
 public:
  explicit Shown(size_t jpeg_bytes = 0) {
    expect(page_ >= 0 && ftruncate(page_, VIEWERS * static_cast<off_t>(sizeof(Record))) == 0, "no page");
    viewers_.keep_records(page_);
    pass_through_.set_kinds({kind_of(""), kind_of("", "nobody's")});
    for (int id = 0; id < VIEWERS; id++) {
      viewers_.take(id, static_cast<size_t>(id), connections_[id].ours);
      viewers_.start(id, {"a", "", "|", 0, 1'000'000});
    }
    frame_->is_whole_jpeg = true;
    frame_->encoded = {0xff, 0xd8, 0xff, 'j', 'p', 'e', 'g'};
    frame_->encoded.resize(std::max(jpeg_bytes, frame_->encoded.size()));
    frame_->width = WIDTH;
  }
  ~Shown() {
    viewers_.end();
    ::close(page_);
  }

  /** The next picture. */
  Asked show() {
    frame_->seq++;
    frame_->captured_us = monotonic_us();
    const Asked before = asked;
    pass_through_.show(frame_);
    return {asked.memory - before.memory, asked.sending - before.sending, asked.other_calls - before.other_calls};
  }

  const Frame& frame() const { return *frame_; }
  std::string seen_by(int id) const { return connections_[id].read(); }
  /** How many more bytes a viewer takes, who waits until there are some. */
  size_t taken_by(int id) const {
    pollfd waiting{connections_[id].theirs, POLLIN, 0};
    char bytes[64 * 1024];
    expect(poll(&waiting, 1, MAX_WAIT_MS) == 1, "no more comes");
    return static_cast<size_t>(std::max<ssize_t>(recv(waiting.fd, bytes, sizeof bytes, MSG_DONTWAIT), 0));
  }

 private:
  const int page_ = memfd_create("page", 0);
  Connection connections_[VIEWERS];
  Viewers viewers_{[](int64_t, const char*) {}};
  PassThrough pass_through_{viewers_};
  std::shared_ptr<Frame> frame_ = std::make_shared<Frame>();
};

}  // namespace

void test_showing() {
  test("a camera's picture takes one call of the kernel for each viewer, and memory once for all of them", [] {
    Shown shown;
    shown.show();  // room that it is kept in

    const Asked once = shown.show();

    expect(once.sending == VIEWERS && once.other_calls == 0,
           text("it takes %d calls to send it, and %d others", once.sending, once.other_calls));
    expect(once.memory == 1, text("memory is asked for %d times", once.memory));
    return "";
  });

  test("each viewer gets the picture as a part that says which it is, and when it was taken", [] {
    Shown shown;
    shown.show();
    const int64_t ahead_us = [] {
      timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000 - monotonic_us();
    }();

    const std::regex part(
        "Content-Type: image/jpeg\r\nContent-Length: 7\r\nX-Timestamp: ([0-9]+)\\.([0-9]{6})\r\nX-Sequence: "
        "1\r\nX-Captured-Us: ([0-9]+)\r\n\r\n\xff\xd8\xffjpeg\\|");
    for (int id = 0; id < VIEWERS; id++) {
      const std::string seen = shown.seen_by(id);
      std::smatch found;
      expect(std::regex_match(seen, found, part), "it got: " + seen);
      const int64_t taken_us = std::stoll(found[1]) * 1'000'000 + std::stoll(found[2]) - ahead_us;
      expect(std::llabs(taken_us - shown.frame().captured_us) < 1000, "it was taken at another time");
      expect(std::stoll(found[3]) == shown.frame().captured_us,
             "by the clock that is never set it was taken at another time");
    }
    return "";
  });

  test("for those who take a picture bit by bit it is copied once, not for each of them, nor for each bit", [] {
    Shown shown(LARGE_BYTES);
    const int before = asked_for_large;
    shown.show();

    for (int id = 0; id < VIEWERS; id++)
      for (size_t bytes = 0; bytes < LARGE_BYTES;) bytes += shown.taken_by(id);

    expect(asked_for_large == before + 1, text("it was copied %d times", asked_for_large - before));
    return "";
  });
}

}  // namespace vedette::test
