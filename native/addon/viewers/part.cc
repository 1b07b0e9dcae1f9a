#include "part.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <utility>

namespace vedette {

namespace {

constexpr int64_t SECOND_US = 1'000'000;

/** Unix time of a moment of CLOCK_MONOTONIC, in microseconds. */
int64_t wall_us(int64_t at_us) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * SECOND_US + now.tv_nsec / 1000 - (monotonic_us() - at_us);
}

}  // namespace

Head::Head(size_t jpeg_bytes) {
  append("Content-Type: image/jpeg\r\n");
  add("Content-Length", static_cast<int64_t>(jpeg_bytes));
}

void Head::add(std::string_view name, int64_t value) {
  append(name);
  append(": ");
  append(value);
  append("\r\n");
}

void Head::add_seconds(std::string_view name, int64_t us) {
  append(name);
  append(": ");
  append(us / SECOND_US);
  char fraction[] = ".000000";
  int64_t rest = us % SECOND_US;
  for (size_t at = std::size(fraction) - 2; at > 0; at--, rest /= 10) fraction[at] = static_cast<char>('0' + rest % 10);
  append(fraction);
  append("\r\n");
}

void Head::append(std::string_view text) {
  const size_t bytes = std::min(text.size(), ROOM - size_);
  std::memcpy(&text_[size_], text.data(), bytes);
  size_ += bytes;
}

void Head::append(int64_t value) {
  size_ = static_cast<size_t>(std::to_chars(&text_[size_], text_.data() + ROOM, value).ptr - text_.data());
}

std::shared_ptr<const Part> part_of(const ShownPicture& picture) {
  Head head(picture.jpeg->size());
  head.add_seconds("X-Timestamp", wall_us(picture.captured_us));
  head.add("X-Sequence", picture.seq);
  head.add("X-Captured-Us", picture.captured_us);
  head.end();
  return std::make_shared<const Part>(Part{head, picture.jpeg, picture.captured_us, false});
}

std::shared_ptr<const Part> placeholder_of(std::vector<uint8_t> jpeg) {
  Head head(jpeg.size());
  head.add("X-Placeholder", 1);
  head.end();
  return std::make_shared<const Part>(
      Part{head, std::make_shared<const std::vector<uint8_t>>(std::move(jpeg)), 0, true, true});
}

std::shared_ptr<const Part> copy_of(const std::shared_ptr<const Part>& part) {
  if (part->has_own_bytes) return part;
  if (auto known = part->copy.lock()) return known;
  const auto made =
      std::make_shared<const Part>(Part{part->head, std::make_shared<const std::vector<uint8_t>>(*part->jpeg),
                                        part->captured_us, part->is_placeholder, true});
  part->copy = made;
  return made;
}

}  // namespace vedette
