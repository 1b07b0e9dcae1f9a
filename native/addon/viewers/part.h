// A picture as a part of a multipart answer: made once, written to every viewer of its kind.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mailbox.h"

namespace vedette {

/** The bytes of a JPEG. They may lie in a frame, which is not filled again while they are held. */
using Jpeg = std::shared_ptr<const std::vector<uint8_t>>;

/**
 * A picture for the viewers of its kind, while it is being offered. output: of the pipeline that it is of; empty: the
 * camera's.
 */
struct ShownPicture {
  const std::string &key, &output;
  Jpeg jpeg;
  int64_t seq = 0, captured_us = 0;
};

/**
 * The headers of a part, up to the empty line, in memory of its own: it is made for each picture, by code and of memory
 * that have left the caches since the one before.
 */
class Head {
 public:
  explicit Head(size_t jpeg_bytes);
  void add(std::string_view name, int64_t value);
  /** Seconds, with six digits behind the point. */
  void add_seconds(std::string_view name, int64_t us);
  void end() { append("\r\n"); }

  std::string_view text() const { return {text_.data(), size_}; }

 private:
  static constexpr size_t ROOM = 192;  // the five headers that there are take 176 with the largest numbers

  void append(std::string_view text);
  void append(int64_t value);

  std::array<char, ROOM> text_;
  size_t size_ = 0;
};

/**
 * The boundary behind it belongs to the viewer. is_placeholder: stands for pictures that do not come. has_own_bytes:
 * that lie in no frame. copy: the one that has, while it is held.
 */
struct Part {
  Head head;
  Jpeg jpeg;
  int64_t captured_us = 0;
  bool is_placeholder = false, has_own_bytes = false;
  mutable std::weak_ptr<const Part> copy = {};
};

/** The headers are those that api/stream/preview/picture-part.ts writes. */
std::shared_ptr<const Part> part_of(const ShownPicture& picture);

/** A JPEG that stands for pictures that do not come. */
std::shared_ptr<const Part> placeholder_of(std::vector<uint8_t> jpeg);

/**
 * The same with bytes of its own, for those who are slow: the camera needs its frames. One for all of them; so never by
 * two threads at once.
 */
std::shared_ptr<const Part> copy_of(const std::shared_ptr<const Part>& part);

}  // namespace vedette
