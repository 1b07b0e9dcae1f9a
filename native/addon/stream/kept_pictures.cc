#include "kept_pictures.h"

#include <algorithm>
#include <atomic>

namespace vedette {

namespace {
size_t distance(size_t a, size_t b) { return a > b ? a - b : b - a; }
}  // namespace

std::shared_ptr<const KeptPicture> KeptPictures::keep(const PictureOutput& picture) {
  const Image& image = *picture.image;
  const size_t bytes = static_cast<size_t>(image.width) * image.channels() * image.height;
  const std::shared_ptr<KeptPicture> kept = free_one(bytes);
  if (!kept) return nullptr;
  kept->output = picture.port;
  kept->width = image.width;
  kept->height = image.height;
  kept->channels = image.channels();
  const size_t row = static_cast<size_t>(image.width) * image.channels();
  if (kept->pixels.capacity() / 2 > bytes) std::vector<uint8_t>().swap(kept->pixels);  // it had a much larger one
  kept->pixels.resize(bytes);
  for (int y = 0; y < image.height; y++) {
    const uint8_t* from = image.pixels + static_cast<size_t>(y) * image.stride;
    std::copy(from, from + row, kept->pixels.begin() + static_cast<ptrdiff_t>(y * row));
  }
  return kept;
}

/**
 * One that only the pool holds, and of these one that has room for so many bytes, if there is one. The fence makes its
 * last reader's work happen before ours. nullptr: there is none, and another one would be too much.
 */
std::shared_ptr<KeptPicture> KeptPictures::free_one(size_t bytes) {
  const std::shared_ptr<KeptPicture>* best = nullptr;
  size_t all = bytes;
  for (const auto& kept : pool_) {
    all += kept->pixels.capacity();
    if (kept.use_count() == 1 &&
        (!best || distance((*kept).pixels.capacity(), bytes) < distance((*best)->pixels.capacity(), bytes)))
      best = &kept;
  }
  if (all - (best ? (*best)->pixels.capacity() : 0) > max_bytes_) return nullptr;
  std::atomic_thread_fence(std::memory_order_acquire);
  if (best) return *best;
  pool_.push_back(std::make_shared<KeptPicture>());
  return pool_.back();
}

}  // namespace vedette
