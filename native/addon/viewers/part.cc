#include "part.h"

#include <time.h>

#include <cstdio>

namespace vedette {

namespace {

std::string head_of(size_t jpeg_bytes, const std::string& own) {
  return "Content-Type: image/jpeg\r\nContent-Length: " + std::to_string(jpeg_bytes) + "\r\n" + own + "\r\n";
}

/** Unix time in seconds of a moment of CLOCK_MONOTONIC. */
std::string wall_time(int64_t at_us) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t wall_us = static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000 - (monotonic_us() - at_us);
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(wall_us / 1'000'000), static_cast<long long>(wall_us % 1'000'000));
  return text;
}

}  // namespace

std::shared_ptr<const Part> part_of(const ShownPicture& picture) {
  const std::string own = "X-Timestamp: " + wall_time(picture.captured_us) + "\r\nX-Sequence: " + std::to_string(picture.seq) + "\r\n";
  return std::make_shared<const Part>(Part{head_of(picture.jpeg->size(), own), picture.jpeg, picture.captured_us, false});
}

std::shared_ptr<const Part> placeholder_of(std::vector<uint8_t> jpeg) {
  const std::string head = head_of(jpeg.size(), "X-Placeholder: 1\r\n");
  return std::make_shared<const Part>(Part{head, std::make_shared<const std::vector<uint8_t>>(std::move(jpeg)), 0, true});
}

std::shared_ptr<const Part> copy_of(const Part& part) {
  return std::make_shared<const Part>(Part{part.head, std::make_shared<const std::vector<uint8_t>>(*part.jpeg), part.captured_us, part.is_placeholder});
}

}  // namespace vedette
