// The bare minimum that passing on a camera's own pictures is measured against: a camera's buffers, one after the
// other, to every client by plain send().
//
//   forward DEVICE WIDTH HEIGHT FPS CLIENTS
//
// Listens on a free port of 127.0.0.1 and prints it, waits for so many connections, and sends them each picture of the
// camera in MJPEG until it is ended. Each part tells when the driver says that its picture was taken, X-Timestamp, Unix
// time in seconds.
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <algorithm>
#include <limits>

#include "bare_server.h"

namespace {

constexpr unsigned BUFFERS = 4;

template <typename Argument>
void order(int camera, unsigned long request, Argument& argument, const char* what) {
  if (ioctl(camera, request, &argument) != 0) bare::fail(what);
}

v4l2_buffer buffer(unsigned index = 0) {
  v4l2_buffer out{};
  out.index = index;
  out.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  out.memory = V4L2_MEMORY_MMAP;
  return out;
}

void set_mode(int camera, unsigned width, unsigned height, unsigned fps) {
  v4l2_format format{};
  format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  format.fmt.pix.width = width;
  format.fmt.pix.height = height;
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_MJPEG;
  order(camera, VIDIOC_S_FMT, format, "format");
  v4l2_streamparm rate{};
  rate.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  rate.parm.capture.timeperframe = {1, fps};
  order(camera, VIDIOC_S_PARM, rate, "rate");
}

std::vector<const char*> start(int camera) {
  v4l2_requestbuffers request{};
  request.count = BUFFERS;
  request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  request.memory = V4L2_MEMORY_MMAP;
  order(camera, VIDIOC_REQBUFS, request, "buffers");
  std::vector<const char*> mapped;
  for (unsigned i = 0; i < request.count; i++) {
    v4l2_buffer each = buffer(i);
    order(camera, VIDIOC_QUERYBUF, each, "buffer");
    void* const at = mmap(nullptr, each.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera, each.m.offset);
    if (at == MAP_FAILED) bare::fail("mmap");
    mapped.push_back(static_cast<const char*>(at));
    order(camera, VIDIOC_QBUF, each, "queue");
  }
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  order(camera, VIDIOC_STREAMON, type, "start");
  return mapped;
}

/** The header that says when a picture was taken. */
std::string stamp(const v4l2_buffer& taken) {
  const int64_t age_ns = bare::now_ns(CLOCK_MONOTONIC) - (static_cast<int64_t>(taken.timestamp.tv_sec) * 1'000'000'000 +
                                                          taken.timestamp.tv_usec * 1000);
  const int64_t wall_us = (bare::now_ns(CLOCK_REALTIME) - age_ns) / 1000;
  char text[64];
  std::snprintf(text, sizeof text, "X-Timestamp: %lld.%06lld\r\n", static_cast<long long>(wall_us / 1'000'000),
                static_cast<long long>(wall_us % 1'000'000));
  return text;
}

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    std::fprintf(stderr, "forward DEVICE WIDTH HEIGHT FPS CLIENTS\n");
    return 1;
  }
  const auto number = [&](int at) { return static_cast<unsigned>(std::atoi(words[at])); };
  const int camera = open(words[1], O_RDWR | O_NONBLOCK);
  if (camera < 0) bare::fail("camera");
  set_mode(camera, number(2), number(3), number(4));
  std::vector<bare::Client> clients = bare::accept_clients(bare::listen_anywhere(), number(5));
  const std::vector<const char*> mapped = start(camera);
  for (std::string part;;) {
    bare::finish_until(std::numeric_limits<int64_t>::max(), camera, clients, part);
    v4l2_buffer taken = buffer();
    if (ioctl(camera, VIDIOC_DQBUF, &taken) != 0) {
      if (errno == EAGAIN) continue;
      bare::fail("dequeue");
    }
    const bool is_free =
        std::all_of(clients.begin(), clients.end(), [](const bare::Client& client) { return client.sent == 0; });
    const std::string next = bare::part_of(mapped[taken.index], taken.bytesused, stamp(taken));
    order(camera, VIDIOC_QBUF, taken, "queue");
    if (!is_free) continue;  // who is served from the part before needs it whole
    part = next;
    for (bare::Client& client : clients) bare::push(client, part);
  }
}
