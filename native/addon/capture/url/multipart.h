// Reads an answer of type multipart/x-mixed-replace, as cameras on the network give it, while its bytes come.
#pragma once

#include <string>
#include <string_view>

#include "picture_reader.h"

namespace vedette {

/**
 * Takes what cameras really send: with and without lengths, and with wrong ones, line ends without CR or none behind
 * a picture, boundaries that are not what was announced, a blank line among the headers of a part.
 */
class MultipartReader : public PictureReader {
 public:
  /** boundary: as the answer's type names it; empty when it does not. */
  explicit MultipartReader(std::string boundary);

  /** Throws Fault `camera.unreadable` when these are no pictures in parts, or a part has no end. */
  void push(const uint8_t* bytes, size_t length) override;

 private:
  enum class State { boundary, headers, body };

  bool step();
  bool read_boundary();
  bool read_headers();
  bool read_body();
  bool read_body_of_length();
  std::string_view received(size_t from) const;
  void finish_part(size_t length);
  bool next_line(std::string_view& line);
  bool is_boundary(std::string_view line);
  void read_header(std::string_view line);

  std::string boundary_;  // without leading dashes; from its first line on the whole line
  bool boundary_is_sure_ = false;
  State state_ = State::boundary;
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;        // what comes before is done with
  size_t searched_ = 0;  // of a body without a length: no boundary begins before
  size_t length_ = 0;
  bool has_length_ = false, is_picture_ = true;
  // of a device of this kind, which shows it while its camera gives nothing (X-Placeholder)
  bool is_placeholder_ = false;
  int64_t began_us_ = 0, taken_us_ = 0;
  size_t skipped_ = 0;  // bytes before a boundary
};

}  // namespace vedette
