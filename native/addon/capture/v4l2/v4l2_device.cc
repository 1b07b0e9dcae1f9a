#include "v4l2_device.h"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace vedette {
namespace {

constexpr int64_t TIMED_OUT_US = 4'000'000;  // some drivers have another name for it

/** Without waiting for anything: who waits does so by poll, and can be told to stop. */
int open_node(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0) return fd;
  const int error = errno;
  if (error == ENOENT || error == ENXIO || error == ENODEV)
    throw Fault{"camera.missing", "there is no camera at " + path + "; check its cable and its power"};
  if (error == EACCES || error == EPERM)
    throw Fault{"camera.unreadable",
                path + " may not be opened by the user that the service runs as; add that user to the group video"};
  throw camera_fault(path, "opening it", error);
}

}  // namespace

V4l2Device::V4l2Device(const std::string& path) : path_(path), fd_(open_node(path)) {}

V4l2Device::~V4l2Device() { ::close(fd_); }

int V4l2Device::ask(unsigned long request, void* argument) const {
  int result;
  do result = ::ioctl(fd_, request, argument);
  while (result < 0 && errno == EINTR);
  return result < 0 ? errno : 0;
}

int V4l2Device::ask_camera(unsigned long request, void* argument) const {
  const int64_t began_us = monotonic_us();
  const int error = ask(request, argument);
  const bool is_failure_of_bus = error == EIO || error == EPROTO || error == EPIPE;
  if (error == ETIMEDOUT || (is_failure_of_bus && monotonic_us() - began_us > TIMED_OUT_US))
    throw Fault{
        "camera.unreadable",
        "the camera at " + path_ +
            " does not answer when it is asked about its settings; unplug it and plug it in again if that stays so"};
  return error;
}

DriverFacts V4l2Device::facts() const {
  v4l2_capability capability{};
  if (const int error = ask(VIDIOC_QUERYCAP, &capability)) {
    if (error == ENOTTY || error == EINVAL)
      throw Fault{"camera.unreadable", path_ + " is no camera: it does not answer as one"};
    throw camera_fault(path_, "asking it what it is", error);
  }
  const uint32_t caps =
      capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
  const bool is_converter = caps & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE);
  return {text_of(capability.driver), text_of(capability.card), text_of(capability.bus_info),
          (caps & V4L2_CAP_VIDEO_CAPTURE) && (caps & V4L2_CAP_STREAMING) && !is_converter};
}

Fault camera_fault(const std::string& path, const std::string& doing, int error) {
  switch (error) {
    case ENODEV:
    case ENXIO:
    case ESHUTDOWN:
      return {"camera.lost", "the camera at " + path + " went away; check its cable and its power"};
    case EBUSY:
      return {"camera.busy", "another program, or another stream, uses the camera at " + path + "; end that first"};
    case ENOSPC:
      return {"camera.no_bandwidth", "the USB controller has no room for what the camera at " + path +
                                         " would send; choose a smaller picture, fewer a second or mjpeg, or plug the "
                                         "camera into a port of another controller"};
    default:
      return {"camera.unreadable", "the camera at " + path + " failed at " + doing + ": " + std::strerror(error)};
  }
}

}  // namespace vedette
