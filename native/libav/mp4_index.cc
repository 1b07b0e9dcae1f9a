#include "mp4_index.h"

#include <cstring>

namespace vedette {

namespace {

constexpr int HEAD_BYTES = 16, MAX_BOXES = 1'000;  // of the outermost ones: without an index there is a handful

uint64_t number(const uint8_t* bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
  return value;
}

/** False: not all of the head is there. */
bool read_head(const VedetteVideoInput& input, int64_t at, uint8_t (&head)[HEAD_BYTES]) {
  if (input.seek(input.self, at) != at) return false;
  for (int done = 0; done < HEAD_BYTES;) {
    const int got = input.read(input.self, head + done, HEAD_BYTES - done);
    if (got <= 0) return false;
    done += got;
  }
  return true;
}

bool is_type(const uint8_t (&head)[HEAD_BYTES], const char* type) { return std::memcmp(head + 4, type, 4) == 0; }

}  // namespace

bool lacks_index(const VedetteVideoInput& input) {
  if (!input.seek) return false;
  const int64_t size = input.seek(input.self, -1);
  uint8_t head[HEAD_BYTES];
  int64_t at = 0;
  for (int boxes = 0; boxes < MAX_BOXES && read_head(input, at, head); boxes++) {
    if (at == 0 && !is_type(head, "ftyp")) return false;
    if (is_type(head, "moov")) return false;
    const uint64_t short_length = number(head, 4), length = short_length == 1 ? number(head + 8, 8) : short_length;
    if (length < 8 || length >= static_cast<uint64_t>(size - at)) return true;  // the last one, or what was cut off
    at += static_cast<int64_t>(length);
  }
  return at > 0;
}

}  // namespace vedette
