#include "multipart.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "source.h"

namespace vedette {

namespace {

constexpr size_t MAX_HEADERS_LENGTH = 8 * 1024;         // of one part; cameras send 100 bytes
constexpr size_t MAX_BEFORE_START = 512;                // of a picture, in its part: headers behind a blank line
constexpr long long LATEST_US = 9'000'000'000'000'000;  // what a double holds to the microsecond, 285 years
// before the first boundary; a server that sends more sends something else
constexpr size_t MAX_SKIPPED = 64 * 1024;

[[noreturn]] void garbage(const std::string& what) {
  throw Fault{"camera.unreadable", "what the camera sends are no pictures in parts (MJPEG): " + what};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::string_view without_dashes(std::string_view text) {
  while (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return text;
}

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

constexpr std::string_view START_OF_JPEG = "\xff\xd8\xff", END_OF_JPEG = "\xff\xd9";

/** Where the picture in a part begins: some cameras end its headers twice. */
size_t start_of_jpeg(std::string_view part) {
  const size_t found = part.substr(0, MAX_BEFORE_START).find(START_OF_JPEG);
  return found == part.npos ? 0 : found;
}

}  // namespace

MultipartReader::MultipartReader(std::string boundary) : boundary_(without_dashes(boundary)) {}

void MultipartReader::push(const uint8_t* bytes, size_t length) {
  buffer_.insert(buffer_.end(), bytes, bytes + length);
  while (step()) {
  }
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  searched_ -= std::min(searched_, at_);
  at_ = 0;
}

/** False: more bytes are needed. */
bool MultipartReader::step() {
  switch (state_) {
    case State::boundary:
      return read_boundary();
    case State::headers:
      return read_headers();
    default:
      return read_body();
  }
}

bool MultipartReader::next_line(std::string_view& line) {
  const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto end = std::find(begin, buffer_.end(), '\n');
  if (end == buffer_.end()) return false;
  line = trimmed({reinterpret_cast<const char*>(&*begin), static_cast<size_t>(end - begin)});
  at_ += static_cast<size_t>(end - begin) + 1;
  return true;
}

bool MultipartReader::read_boundary() {
  std::string_view line;
  const size_t before = at_;
  if (!next_line(line)) {
    if (buffer_.size() - at_ > MAX_HEADERS_LENGTH) garbage("no line of them ends");
    return false;
  }
  skipped_ += at_ - before;
  if (is_boundary(line)) {
    skipped_ = 0;
    state_ = State::headers;
    has_length_ = false;
    is_picture_ = true;
    is_placeholder_ = false;
    taken_us_ = 0;
  } else if (skipped_ > MAX_SKIPPED) {
    garbage("there is no boundary between them");
  }
  return true;
}

/**
 * The first line that looks like one is it, whatever was announced: many cameras get the dashes wrong, or send
 * another one. Without any it must be the very one.
 */
bool MultipartReader::is_boundary(std::string_view line) {
  if (boundary_is_sure_) return line == boundary_;
  const bool is_announced = !boundary_.empty() && without_dashes(line) == boundary_;
  const bool looks_like_one = starts_with(line, "--") && !without_dashes(line).empty() && line.find(' ') == line.npos;
  if (!is_announced && !looks_like_one) return false;
  boundary_ = line;
  boundary_is_sure_ = true;
  return true;
}

bool MultipartReader::read_headers() {
  const size_t begin = at_;
  std::string_view line;
  while (next_line(line)) {
    if (at_ - begin > MAX_HEADERS_LENGTH) garbage("the headers of a part have no end");
    if (line.empty()) {
      if (has_length_ && length_ > MAX_PICTURE_BYTES)
        garbage("a part of " + std::to_string(length_) + " bytes is announced");
      began_us_ = monotonic_us();
      searched_ = at_;
      state_ = State::body;
      return true;
    }
    read_header(line);
  }
  if (buffer_.size() - begin > MAX_HEADERS_LENGTH) garbage("the headers of a part have no end");
  at_ = begin;  // they are read again when more of them is there
  return false;
}

void MultipartReader::read_header(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name(trimmed(line.substr(0, colon))), value(trimmed(line.substr(colon + 1)));
  if (strcasecmp(name.c_str(), "content-length") == 0) {
    char* end = nullptr;
    const unsigned long long length = std::strtoull(value.c_str(), &end, 10);
    has_length_ = end != value.c_str() && *end == '\0' && value[0] != '-' && length > 0;
    length_ = has_length_ ? static_cast<size_t>(std::min<unsigned long long>(length, MAX_PICTURE_BYTES + 1)) : 0;
  } else if (strcasecmp(name.c_str(), "x-placeholder") == 0) {
    is_placeholder_ = true;
  } else if (strcasecmp(name.c_str(), "x-captured-us") == 0) {
    char* end = nullptr;
    const long long taken_us = std::strtoll(value.c_str(), &end, 10);
    taken_us_ = *end == '\0' && taken_us > 0 && taken_us <= LATEST_US ? taken_us : 0;
  } else if (strcasecmp(name.c_str(), "content-type") == 0) {
    is_picture_ = strncasecmp(value.c_str(), "image/jpeg", 10) == 0 || strncasecmp(value.c_str(), "image/jpg", 9) == 0;
  }
}

/** What is there from a place on. */
std::string_view MultipartReader::received(size_t from) const {
  return {reinterpret_cast<const char*>(buffer_.data()) + from, buffer_.size() - from};
}

/**
 * A length is believed of what ends as a JPEG does, or has the end of a line or the next boundary behind it: cameras
 * count wrongly.
 */
bool MultipartReader::read_body_of_length() {
  const size_t end = at_ + length_;
  if (buffer_.size() < end) return false;
  const std::string_view behind = received(end), wanted[] = {"\n", "\r\n", boundary_};
  const auto stands = [&](std::string_view each) { return starts_with(behind, each); };
  const auto may_come = [&](std::string_view each) { return starts_with(each, behind); };
  const bool is_ended = length_ >= 2 && starts_with(received(end - 2), END_OF_JPEG);
  if (is_ended || std::any_of(std::begin(wanted), std::end(wanted), stands)) return finish_part(length_), true;
  if (std::any_of(std::begin(wanted), std::end(wanted), may_come)) return false;
  has_length_ = false;
  return true;
}

bool MultipartReader::read_body() {
  if (has_length_) return read_body_of_length();
  for (;;) {
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(searched_);
    const auto found = std::search(from, buffer_.end(), boundary_.begin(), boundary_.end());
    if (found == buffer_.end()) break;
    const size_t place = static_cast<size_t>(found - buffer_.begin());
    size_t length = place - at_;
    const std::string_view before = received(at_).substr(0, length);
    searched_ = place + 1;
    if (ends_with(before, "\n")) {
      length -= ends_with(before, "\r\n") ? 2 : 1;
    } else if (!ends_with(before, END_OF_JPEG) || !starts_with(boundary_, "--")) {
      continue;
    }
    finish_part(length);
    return true;
  }
  if (buffer_.size() - at_ > MAX_PICTURE_BYTES) garbage("a part has no end");
  searched_ = std::max(searched_, buffer_.size() - std::min(buffer_.size(), boundary_.size()));
  return false;
}

void MultipartReader::finish_part(size_t length) {
  if (is_picture_ && !is_placeholder_) {
    const size_t skipped = start_of_jpeg(received(at_).substr(0, length));
    keep(buffer_.data() + at_ + skipped, length - skipped, began_us_, taken_us_);
  }
  at_ += length;
  state_ = State::boundary;
}

}  // namespace vedette
