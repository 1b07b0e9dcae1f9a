// The pixels of large pictures, which lie where others may look at them while there are such others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace vedette {

/** Where the pixels of large pictures are put, instead of where everything is. Called by all threads. */
class PixelHome {
 public:
  virtual ~PixelHome() = default;
  /** nullptr: it has no room, or is not meant for so little. */
  virtual uint8_t* take(size_t bytes) = 0;
  virtual bool has(const uint8_t* pixels) const = 0;
  virtual void give_back(const uint8_t* pixels) = 0;
};

/** Of the process; nullptr: there is none yet. One that is set stays for ever. */
inline std::atomic<PixelHome*> pixel_home{nullptr};

template <typename T>
struct PixelAllocator {
  using value_type = T;
  PixelAllocator() = default;
  template <typename Other>
  PixelAllocator(const PixelAllocator<Other>&) {}

  T* allocate(size_t count) {
    PixelHome* home = pixel_home;
    uint8_t* pixels = home ? home->take(count * sizeof(T)) : nullptr;
    return static_cast<T*>(pixels ? pixels : ::operator new(count * sizeof(T)));
  }

  void deallocate(T* at, size_t) {
    PixelHome* home = pixel_home;
    if (home && home->has(at)) home->give_back(at);
    else ::operator delete(at);
  }

  template <typename Other>
  bool operator==(const PixelAllocator<Other>&) const {
    return true;
  }
  template <typename Other>
  bool operator!=(const PixelAllocator<Other>&) const {
    return false;
  }
};

using PixelBytes = std::vector<uint8_t, PixelAllocator<uint8_t>>;

/** Whether these are to be made anew, since others may look at new ones. */
inline bool lie_apart(const PixelBytes& pixels) {
  const PixelHome* home = pixel_home;
  return home && !pixels.empty() && !home->has(pixels.data());
}

}  // namespace vedette
