// One open camera node: its descriptor, what its driver says of itself, and what an errno of it means to people.
#pragma once

#include <cstdint>
#include <string>

#include "source.h"

namespace vedette {

/**
 * What the driver says. is_capture: pictures can be streamed from it, one plane each; a codec, or the node of a
 * camera's metadata, is none.
 */
struct DriverFacts {
  std::string driver, card, bus_info;
  bool is_capture = false;
};

/** An open node, closed with it. Its methods may be called from any thread: the kernel takes one at a time. */
class V4l2Device {
 public:
  /** Throws Fault `camera.missing`, `camera.busy` or `camera.unreadable`. */
  explicit V4l2Device(const std::string& path);
  ~V4l2Device();
  V4l2Device(const V4l2Device&) = delete;
  V4l2Device& operator=(const V4l2Device&) = delete;

  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

  /** One ioctl, begun again when a signal ends it. 0, or an errno. */
  int ask(unsigned long request, void* argument) const;

  /**
   * The same for what the camera itself is asked over its bus. Throws Fault `camera.unreadable` when that does not
   * answer in time: the kernel waits 5 s for each answer, and nobody may go on to the next question, or the engine
   * counts as hung before it has said why.
   */
  int ask_camera(unsigned long request, void* argument) const;

  /** Throws Fault `camera.lost` or `camera.unreadable`. */
  DriverFacts facts() const;

 private:
  const std::string path_;
  const int fd_;
};

/**
 * The sentence behind an errno of a camera: "doing" is what failed. Code: `camera.lost`, `camera.busy`,
 * `camera.no_bandwidth` or `camera.unreadable`.
 */
Fault camera_fault(const std::string& path, const std::string& doing, int error);

/** The text in a driver's field of fixed length, which need not end. */
template <typename Byte, size_t length>
std::string text_of(const Byte (&field)[length]) {
  const char* start = reinterpret_cast<const char*>(field);
  size_t end = 0;
  while (end < length && start[end] != 0) end++;
  return std::string(start, end);
}

}  // namespace vedette
