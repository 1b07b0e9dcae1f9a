#include "orientation.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace vedette {

namespace {

constexpr uint8_t MARK = 0xff, START = 0xd8, SCAN = 0xda, APP1 = 0xe1;
constexpr int ORIENTATION = 0x0112, MAX_ORIENTATION = 8;
constexpr int MAX_SEGMENTS = 50, MAX_CHUNKS = 1'000, MAX_ENTRIES = 200;  // as native/media/content/upright.ts
constexpr size_t ENTRY_BYTES = 12;
constexpr std::string_view EXIF("Exif\0\0", 6), PNG("\x89PNG\r\n\x1a\n", 8);

/** Bytes that are looked at; what lies beyond their end reads as 0. */
struct View {
  const uint8_t* bytes;
  size_t length;
  bool is_little = false;

  size_t u16(size_t at) const {
    if (at + 2 > length || at + 2 < at) return 0;
    return is_little ? bytes[at] | bytes[at + 1] << 8 : bytes[at] << 8 | bytes[at + 1];
  }
  size_t u32(size_t at) const { return is_little ? u16(at) | u16(at + 2) << 16 : u16(at) << 16 | u16(at + 2); }
  bool has(size_t at, std::string_view text) const {
    return at <= length && text.size() <= length - at && std::memcmp(bytes + at, text.data(), text.size()) == 0;
  }
  View part(size_t at, size_t count) const {
    if (at >= length) return {bytes, 0};
    return {bytes + at, std::min(count, length - at), is_little};
  }
};

/** Calls `found` with where the value of a note lies in the table, for each there is, until it returns true. */
template <typename Found>
bool in_table(View tiff, Found found) {
  tiff.is_little = tiff.has(0, "II");
  const size_t table = tiff.u32(4), entries = std::min<size_t>(tiff.u16(table), MAX_ENTRIES);
  for (size_t n = 0; n < entries; n++) {
    const size_t entry = table + 2 + n * ENTRY_BYTES;
    if (tiff.u16(entry) == ORIENTATION && found(tiff, entry + 8)) return true;
  }
  return false;
}

/** The same for a JPEG, up to its first scan. */
template <typename Found>
void in_jpeg(const View& jpeg, Found found) {
  size_t at = 2;
  for (int segments = 0; segments < MAX_SEGMENTS && at + 4 <= jpeg.length; segments++) {
    if (jpeg.bytes[at] != MARK || jpeg.bytes[at + 1] == SCAN) return;
    if (jpeg.bytes[at + 1] == MARK) {  // filled up in front
      at++;
      continue;
    }
    const size_t length = jpeg.u16(at + 2);
    if (jpeg.bytes[at + 1] == APP1 && length >= 2 && jpeg.has(at + 4, EXIF)) {
      const size_t skipped = 4 + EXIF.size();
      if (in_table(jpeg.part(at + skipped, length + 2 - std::min(length + 2, skipped)), found)) return;
    }
    at += 2 + length;
  }
}

template <typename Found>
void in_png(const View& png, Found found) {
  size_t at = PNG.size();
  for (int chunks = 0; chunks < MAX_CHUNKS && at + 8 <= png.length; chunks++) {
    if (png.has(at + 4, "IDAT")) return;
    if (png.has(at + 4, "eXIf")) return void(in_table(png.part(at + 8, png.u32(at)), found));
    at += 12 + png.u32(at);
  }
}

}  // namespace

int noted_orientation(const uint8_t* bytes, size_t length) {
  size_t noted = UPRIGHT;
  const auto take = [&](const View& tiff, size_t at) { return noted = tiff.u16(at), true; };
  const View view{bytes, length};
  if (length > 2 && bytes[0] == MARK && bytes[1] == START) in_jpeg(view, take);
  if (view.has(0, PNG)) in_png(view, take);
  return noted >= UPRIGHT && noted <= MAX_ORIENTATION ? static_cast<int>(noted) : UPRIGHT;
}

void forget_orientation(std::vector<uint8_t>& jpeg) {
  if (jpeg.size() < 3 || jpeg[0] != MARK || jpeg[1] != START) return;
  in_jpeg({jpeg.data(), jpeg.size()}, [&](const View& tiff, size_t at) {
    if (at + 2 > tiff.length) return false;
    uint8_t* const value = jpeg.data() + (tiff.bytes - jpeg.data()) + at;
    value[0] = tiff.is_little ? UPRIGHT : 0;
    value[1] = tiff.is_little ? 0 : UPRIGHT;
    return false;
  });
}

}  // namespace vedette
