#include "jpeg_sequence.h"

#include <algorithm>
#include <iterator>

#include "clock.h"
#include "source.h"

namespace vedette {

namespace {

constexpr uint8_t MARK = 0xff, START = 0xd8, END = 0xd9, SCAN = 0xda, TEMPORARY = 0x01;

bool is_restart(uint8_t code) { return code >= 0xd0 && code <= 0xd7; }

}  // namespace

void JpegSequenceReader::push(const uint8_t* bytes, size_t length) {
  buffer_.insert(buffer_.end(), bytes, bytes + length);
  while (step()) {
  }
  if (at_ - begin_ > MAX_PICTURE_BYTES || buffer_.size() - at_ > MAX_PICTURE_BYTES)
    throw Fault{"camera.unreadable", "what the camera sends are no JPEGs one behind the other (MJPEG): one has no end"};
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  at_ -= begin_;
  begin_ = 0;
}

/** False: more bytes are needed. */
bool JpegSequenceReader::step() {
  switch (where_) {
    case Where::start:
      return find_start();
    case Where::segments:
      return pass_segment();
    default:
      return pass_scan();
  }
}

bool JpegSequenceReader::find_start() {
  const uint8_t start[] = {MARK, START, MARK};
  const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto found = std::search(from, buffer_.end(), std::begin(start), std::end(start));
  if (found == buffer_.end()) {
    begin_ = at_ = std::max(at_, buffer_.size() - std::min<size_t>(buffer_.size(), sizeof start - 1));
    return false;
  }
  begin_ = static_cast<size_t>(found - buffer_.begin());
  at_ = begin_ + 2;
  began_us_ = monotonic_us();
  where_ = Where::segments;
  return true;
}

/** A segment, by its length: what lies in it may look like an end. */
bool JpegSequenceReader::pass_segment() {
  if (buffer_.size() - at_ < 2) return false;
  const uint8_t mark = buffer_[at_], code = buffer_[at_ + 1];
  if (mark != MARK || code == 0 || code == START) {  // it is broken: the next one begins somewhere behind
    where_ = Where::start;
    return true;
  }
  if (code == MARK) return at_++, true;  // filled up in front
  if (code == END) return finish(), true;
  if (code == TEMPORARY || is_restart(code)) return at_ += 2, true;
  if (buffer_.size() - at_ < 4) return false;
  const size_t length = static_cast<size_t>(buffer_[at_ + 2] << 8 | buffer_[at_ + 3]);
  if (buffer_.size() - at_ < 2 + length) return false;
  at_ += 2 + length;
  if (code == SCAN) where_ = Where::scan;
  return true;
}

bool JpegSequenceReader::pass_scan() {
  for (;;) {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ = static_cast<size_t>(std::find(begin, buffer_.end(), MARK) - buffer_.begin());
    if (buffer_.size() - at_ < 2) return false;
    const uint8_t code = buffer_[at_ + 1];
    const bool is_pixels = code == 0 || is_restart(code);
    if (!is_pixels && code != MARK) break;
    at_ += is_pixels ? 2 : 1;
  }
  where_ = Where::segments;
  return true;
}

void JpegSequenceReader::finish() {
  at_ += 2;
  keep(buffer_.data() + begin_, at_ - begin_, began_us_, 0);
  begin_ = at_;
  where_ = Where::start;
}

}  // namespace vedette
