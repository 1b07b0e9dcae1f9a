// The buffers that a driver fills, mapped into this process, and the stream through them.
#pragma once

#include <linux/videodev2.h>

#include <memory>
#include <vector>

#include "v4l2_device.h"

namespace vedette {

/** Buffers of one open camera, streaming for as long as this is there. */
class V4l2Buffers {
 public:
  /**
   * Asks for buffers, maps and queues them, and starts the stream. Throws Fault `camera.busy`, `camera.no_bandwidth`,
   * `camera.lost` or `camera.unreadable`.
   */
  explicit V4l2Buffers(std::shared_ptr<const V4l2Device> device);
  ~V4l2Buffers();
  V4l2Buffers(const V4l2Buffers&) = delete;
  V4l2Buffers& operator=(const V4l2Buffers&) = delete;

  /** Takes the oldest filled one. 0; EAGAIN: there is none; another errno. */
  int take(v4l2_buffer& buffer) const;
  /** Gives it back to be filled again. Throws as the constructor does. */
  void give_back(v4l2_buffer& buffer) const;

  const uint8_t* bytes(const v4l2_buffer& buffer) const { return mapped_[buffer.index].start; }
  /** How much of it the driver has filled. */
  size_t filled(const v4l2_buffer& buffer) const;
  /** The flags that every filled buffer will have: what its time stamp is. */
  uint32_t flags() const { return flags_; }

 private:
  struct Mapped {
    uint8_t* start;
    size_t length;
  };
  void map_all(uint32_t count);
  void release();

  const std::shared_ptr<const V4l2Device> device_;
  std::vector<Mapped> mapped_;
  uint32_t flags_ = 0;
};

}  // namespace vedette
