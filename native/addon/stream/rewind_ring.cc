#include "rewind_ring.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "source.h"

namespace vedette {

namespace {

constexpr size_t ALIGNED = alignof(RewindItem);

size_t size_of(size_t length) { return sizeof(RewindItem) + (length + ALIGNED - 1) / ALIGNED * ALIGNED; }

}  // namespace

/** Not from the heap, which keeps for later what it is given back: a ring that is turned off shall be gone. */
RewindRing::RewindRing(size_t max_bytes) : max_bytes_(max_bytes) {
  void* memory = mmap(nullptr, max_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Fault{"engine.failed",
                std::string("there is no memory to keep the last pictures in: ") + std::strerror(errno)};
  memory_ = static_cast<uint8_t*>(memory);
}

RewindRing::~RewindRing() { munmap(memory_, max_bytes_); }

void RewindRing::add(int64_t opening, int64_t captured_us, const void* bytes, size_t length) {
  const size_t size = size_of(length);
  if (size > max_bytes_) return;
  RewindItem* item = at(room_for(size));
  *item = {next_number_++, opening, captured_us, length};
  std::memcpy(item + 1, bytes, length);
  items_++;
  bytes_ += size;
  if (opening == RewindItem::PICTURE) pictures_++;
  newest_us_ = captured_us;
}

RewindRing::Kept RewindRing::kept() const {
  if (items_ == 0) return {};
  return {pictures_, newest_us_ > at(oldest_)->captured_us ? newest_us_ - at(oldest_)->captured_us : 0, bytes_};
}

void RewindRing::clear() {
  while (items_ > 0) drop_oldest();
}

/** In one piece, so that a reader needs no copy. */
size_t RewindRing::room_for(size_t size) {
  for (;;) {
    if (items_ == 0) oldest_ = newest_end_ = 0;
    const size_t left = (is_wrapped_ ? oldest_ : max_bytes_) - newest_end_;
    if (left >= size) break;
    if (is_wrapped_) {
      drop_oldest();
      continue;
    }
    is_wrapped_ = true;
    wrapped_at_ = newest_end_;
    newest_end_ = 0;
  }
  newest_end_ += size;
  return newest_end_ - size;
}

void RewindRing::drop_oldest() {
  const RewindItem& item = *at(oldest_);
  if (item.opening == RewindItem::PICTURE) pictures_--;
  bytes_ -= size_of(item.length);
  oldest_ += size_of(item.length);
  items_--;
  if (!is_wrapped_ || oldest_ != wrapped_at_) return;
  is_wrapped_ = false;
  oldest_ = 0;
}

const RewindItem* RewindRing::next(Place& place) const {
  if (place.number == next_number_ || items_ == 0) return nullptr;
  const RewindItem* oldest = at(oldest_);
  if (place.number <= oldest->number) place = {oldest_, oldest->number};
  if (is_wrapped_ && place.offset == wrapped_at_) place.offset = 0;
  const RewindItem* item = at(place.offset);
  place = {place.offset + size_of(item->length), item->number + 1};
  return item;
}

}  // namespace vedette
