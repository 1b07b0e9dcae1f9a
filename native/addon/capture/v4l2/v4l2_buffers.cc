#include "v4l2_buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

namespace vedette {
namespace {

// One that is being filled, one that waits, one that is being read, and one for a thread that the machine keeps
// waiting.
constexpr uint32_t WANTED = 4, MIN = 2;

int request(const V4l2Device& device, uint32_t& count) {
  v4l2_requestbuffers wanted{};
  wanted.count = count;
  wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  wanted.memory = V4L2_MEMORY_MMAP;
  const int error = device.ask(VIDIOC_REQBUFS, &wanted);
  count = wanted.count;
  return error;
}

v4l2_buffer buffer_at(uint32_t index) {
  v4l2_buffer buffer{};
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  buffer.index = index;
  return buffer;
}

}  // namespace

V4l2Buffers::V4l2Buffers(std::shared_ptr<const V4l2Device> device) : device_(std::move(device)) {
  uint32_t count = WANTED;
  if (const int error = request(*device_, count)) throw camera_fault(device_->path(), "giving it buffers", error);
  try {
    if (count < MIN)
      throw Fault{"camera.unreadable", "the camera at " + device_->path() + " has no memory for two pictures"};
    map_all(count);
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (const int error = device_->ask(VIDIOC_STREAMON, &type))
      throw camera_fault(device_->path(), "starting its pictures", error);
  } catch (...) {
    release();
    throw;
  }
}

V4l2Buffers::~V4l2Buffers() { release(); }

void V4l2Buffers::map_all(uint32_t count) {
  for (uint32_t index = 0; index < count; index++) {
    v4l2_buffer buffer = buffer_at(index);
    if (const int error = device_->ask(VIDIOC_QUERYBUF, &buffer))
      throw camera_fault(device_->path(), "giving it buffers", error);
    void* start = ::mmap(nullptr, buffer.length, PROT_READ, MAP_SHARED, device_->fd(), buffer.m.offset);
    if (start == MAP_FAILED) throw camera_fault(device_->path(), "mapping its buffers", errno);
    mapped_.push_back({static_cast<uint8_t*>(start), buffer.length});
    flags_ = buffer.flags;
    give_back(buffer);
  }
}

int V4l2Buffers::take(v4l2_buffer& buffer) const {
  buffer = buffer_at(0);
  const int error = device_->ask(VIDIOC_DQBUF, &buffer);
  return error == 0 && buffer.index >= mapped_.size() ? EINVAL : error;
}

void V4l2Buffers::give_back(v4l2_buffer& buffer) const {
  if (const int error = device_->ask(VIDIOC_QBUF, &buffer))
    throw camera_fault(device_->path(), "giving it a buffer", error);
}

size_t V4l2Buffers::filled(const v4l2_buffer& buffer) const {
  return std::min<size_t>(buffer.bytesused, mapped_[buffer.index].length);
}

/**
 * In this order: a driver gives no buffer up that is mapped, and no other stream may begin as long as it has buffers.
 */
void V4l2Buffers::release() {
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  device_->ask(VIDIOC_STREAMOFF, &type);
  for (const Mapped& mapped : mapped_) ::munmap(mapped.start, mapped.length);
  mapped_.clear();
  uint32_t none = 0;
  request(*device_, none);
}

}  // namespace vedette
