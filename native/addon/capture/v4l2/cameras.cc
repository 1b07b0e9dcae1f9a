// What cameras say of themselves, for the service: `cameras /dev/video0 /dev/video2 ...` prints one JSON object a line
// for each, in that order (v4l2_describe.h), and streams from none. A driver that does not answer costs two seconds,
// however many there are: each is asked by a process of its own.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "frame.h"
#include "v4l2_describe.h"

namespace {

using vedette::camera_json;
using vedette::failed_camera_json;

constexpr int64_t LIMIT_US = 2'000'000;

/** A process that asks one camera, and the end of the pipe from which it is read. */
struct Asking {
  std::string device;
  pid_t child = -1;
  int from = -1;
  std::string said;
};

void write_all(int to, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(to, text.data() + at, text.size() - at);
    if (written < 0) return;
    at += static_cast<size_t>(written);
  }
}

Asking ask(const std::string& device) {
  Asking asking{device, -1, -1, ""};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return asking;
  asking.from = ends[0];
  asking.child = ::fork();
  if (asking.child == 0) {
    // whoever started this program waits until nobody has these open, and a driver may keep this process from ending
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) ::close(each);
    write_all(ends[1], camera_json(device));
    ::_exit(0);
  }
  ::close(ends[1]);
  return asking;
}

/** Reads what is there; the end of it closes the pipe. */
void read_some(Asking& asking) {
  char bytes[4096];
  const ssize_t count = ::read(asking.from, bytes, sizeof bytes);
  if (count > 0) {
    asking.said.append(bytes, static_cast<size_t>(count));
    return;
  }
  ::close(asking.from);
  asking.from = -1;
}

void listen(std::vector<Asking>& all) {
  const int64_t end_us = vedette::monotonic_us() + LIMIT_US;
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<Asking*> whose;
    for (Asking& asking : all) {
      if (asking.from < 0) continue;
      waiting.push_back({asking.from, POLLIN, 0});
      whose.push_back(&asking);
    }
    const int64_t left_us = end_us - vedette::monotonic_us();
    if (waiting.empty() || left_us <= 0) return;
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left_us / 1000) + 1) <= 0) continue;
    for (size_t index = 0; index < waiting.size(); index++)
      if (waiting[index].revents != 0) read_some(*whose[index]);
  }
}

void print(const Asking& asking) {
  const bool is_whole = asking.from < 0 && !asking.said.empty();
  if (!is_whole && asking.child > 0) ::kill(asking.child, SIGKILL);  // one that hangs in its driver is not waited for
  const std::string line =
      is_whole           ? asking.said
      : asking.child < 0 ? failed_camera_json(asking.device, EAGAIN, "the machine could not start another process")
      : asking.from >= 0
          ? failed_camera_json(asking.device, ETIMEDOUT,
                               asking.device + " does not answer within 2 s; unplug the camera and plug it in again")
          : failed_camera_json(asking.device, EIO, "asking " + asking.device + " failed unexpectedly");
  std::puts(line.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<Asking> all;
  for (int index = 1; index < count; index++) all.push_back(ask(arguments[index]));
  listen(all);
  for (const Asking& asking : all) print(asking);
  return 0;
}
