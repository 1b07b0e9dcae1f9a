#include "mjpeg_frame.h"

namespace vedette {
namespace {

constexpr uint8_t MARK = 0xff, START = 0xd8, END = 0xd9, SCAN = 0xda, TEMPORARY = 0x01;

bool is_frame_header(uint8_t marker) { return marker >= 0xc0 && marker <= 0xc2; }

/** Without a length behind it. */
bool stands_alone(uint8_t marker) { return marker == TEMPORARY || (marker >= 0xd0 && marker <= 0xd7); }

std::string size_text(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

/** Of the header of the picture: precision, height, width, components. */
std::string whats_wrong_with(const uint8_t* header, size_t length, int width, int height) {
  if (length < 6) return "its header is cut short";
  const int rows = header[1] << 8 | header[2], columns = header[3] << 8 | header[4];
  if (header[0] != 8) return "it has " + std::to_string(header[0]) + " bits a sample";
  if (header[5] != 1 && header[5] != 3) return "it has " + std::to_string(header[5]) + " components";
  if (columns != width || rows != height)
    return "it has " + size_text(columns, rows) + " pixels, the mode " + size_text(width, height);
  return "";
}

/** Walks the segments up to the scan. */
std::string whats_wrong_before_scan(const uint8_t* bytes, size_t length, int width, int height) {
  bool has_header = false;
  size_t at = 2;
  while (at + 4 <= length) {
    if (bytes[at] != MARK) return "its segments do not follow one another";
    const uint8_t marker = bytes[at + 1];
    if (marker == MARK || stands_alone(marker)) {  // a marker may be filled up in front
      at += marker == MARK ? 1 : 2;
      continue;
    }
    if (marker == SCAN) return has_header ? "" : "it has no header";
    const size_t segment = static_cast<size_t>(bytes[at + 2] << 8 | bytes[at + 3]);
    if (segment < 2 || at + 2 + segment > length) break;
    if (is_frame_header(marker)) {
      const std::string why = whats_wrong_with(bytes + at + 4, segment - 2, width, height);
      if (!why.empty()) return why;
      has_header = true;
    }
    at += 2 + segment;
  }
  return "it ends before its pixels begin";
}

/** Where the picture ends: behind the last marker of the end that has nothing but padding behind it. 0: it has none. */
size_t end_of(const uint8_t* bytes, size_t length) {
  size_t at = length;
  while (at >= 2 && !(bytes[at - 2] == MARK && bytes[at - 1] == END)) {
    if (bytes[at - 1] != 0x00 && bytes[at - 1] != MARK) return 0;
    at--;
  }
  return at >= 2 ? at : 0;
}

}  // namespace

MjpegFrame check_mjpeg(const uint8_t* bytes, size_t length, int width, int height) {
  if (length == 0) return {0, "it is empty"};
  if (length < 4 || bytes[0] != MARK || bytes[1] != START || bytes[2] != MARK)
    return {0, "it does not begin as a JPEG"};
  const std::string why = whats_wrong_before_scan(bytes, length, width, height);
  if (!why.empty()) return {0, why};
  const size_t end = end_of(bytes, length);
  if (end == 0) return {0, "it is cut short: its end is missing"};
  return {end, ""};
}

}  // namespace vedette
