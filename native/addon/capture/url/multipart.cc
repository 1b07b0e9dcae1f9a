#include "multipart.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "source.h"

namespace vedette {

namespace {

constexpr size_t LONGEST_HEADERS = 8 * 1024;        // of one part; cameras send 100 bytes
constexpr size_t LONGEST_PART = 16 * 1024 * 1024;   // a JPEG of 12 megapixels in the best quality has 10 MB
constexpr long long LATEST_US = 9'000'000'000'000'000;  // what a double holds to the microsecond, 285 years
constexpr size_t MOST_SKIPPED = 64 * 1024;          // before the first boundary; whoever sends more sends something else

[[noreturn]] void garbage(const std::string& what) { throw Fault{"camera.unreadable", "what the camera sends are no pictures in parts (MJPEG): " + what}; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::string_view without_dashes(std::string_view text) {
  while (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return text;
}

bool starts_with(std::string_view text, std::string_view beginning) { return text.substr(0, beginning.size()) == beginning; }

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

bool MultipartReader::take(ReceivedPicture& out) {
  if (!has_picture_) return false;
  has_picture_ = false;
  std::swap(out, picture_);  // its buffer is filled again
  return true;
}

/** False: more bytes are needed. */
bool MultipartReader::step() {
  switch (state_) {
    case State::boundary: return read_boundary();
    case State::headers: return read_headers();
    default: return read_body();
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
    if (buffer_.size() - at_ > LONGEST_HEADERS) garbage("no line of them ends");
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
  } else if (skipped_ > MOST_SKIPPED) {
    garbage("there is no boundary between them");
  }
  return true;
}

/** The first line that looks like one is it, whatever was announced: many cameras get the dashes wrong. */
bool MultipartReader::is_boundary(std::string_view line) {
  if (boundary_is_sure_) return line == boundary_;
  if (!starts_with(line, "--") || without_dashes(line).empty()) return false;
  if (!boundary_.empty() && without_dashes(line) != boundary_) return false;
  boundary_ = line;
  boundary_is_sure_ = true;
  return true;
}

bool MultipartReader::read_headers() {
  const size_t begin = at_;
  std::string_view line;
  while (next_line(line)) {
    if (at_ - begin > LONGEST_HEADERS) garbage("the headers of a part have no end");
    if (line.empty()) {
      if (has_length_ && length_ > LONGEST_PART) garbage("a part of " + std::to_string(length_) + " bytes is announced");
      began_us_ = monotonic_us();
      searched_ = at_;
      state_ = State::body;
      return true;
    }
    read_header(line);
  }
  if (buffer_.size() - begin > LONGEST_HEADERS) garbage("the headers of a part have no end");
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
    length_ = has_length_ ? static_cast<size_t>(std::min<unsigned long long>(length, LONGEST_PART + 1)) : 0;
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

bool MultipartReader::read_body() {
  if (has_length_) {
    if (buffer_.size() - at_ < length_) return false;
    finish_part(length_);
    return true;
  }
  const std::string wanted = "\n" + boundary_;
  const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(searched_);
  const auto found = std::search(from, buffer_.end(), wanted.begin(), wanted.end());
  if (found == buffer_.end()) {
    if (buffer_.size() - at_ > LONGEST_PART) garbage("a part has no end");
    searched_ = std::max(searched_, buffer_.size() - std::min(buffer_.size(), wanted.size()));
    return false;
  }
  size_t length = static_cast<size_t>(found - buffer_.begin()) - at_;
  if (length > 0 && buffer_[at_ + length - 1] == '\r') length--;
  finish_part(length);
  return true;
}

void MultipartReader::finish_part(size_t length) {
  if (is_picture_ && !is_placeholder_) {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    picture_.jpeg.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
    picture_.number = ++pictures_;
    picture_.began_us = began_us_;
    picture_.taken_us = taken_us_;
    has_picture_ = true;
  }
  at_ += length;
  state_ = State::boundary;
}

}  // namespace vedette
