// A picture as a part of a multipart answer: made once, written to every viewer of its kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mailbox.h"

namespace vedette {

/** The bytes of a JPEG. They may lie in a frame, which is not filled anew while somebody holds them. */
using Jpeg = std::shared_ptr<const std::vector<uint8_t>>;

/** A picture for the viewers of its kind. output: of the pipeline that it is of; empty: the camera's. */
struct ShownPicture {
  std::string key, output;
  Jpeg jpeg;
  int64_t seq = 0, captured_us = 0;
};

/** head: its headers, up to the empty line. The boundary behind it belongs to the viewer. is_placeholder: stands for pictures that do not come. */
struct Part {
  std::string head;
  Jpeg jpeg;
  int64_t captured_us = 0;
  bool is_placeholder = false;
};

/** The headers are those that api/streams/preview/picture-part.ts writes. */
std::shared_ptr<const Part> part_of(const ShownPicture& picture);

/** A JPEG that stands for pictures that do not come. */
std::shared_ptr<const Part> placeholder_of(std::vector<uint8_t> jpeg);

/** The same with bytes of its own, for who is slow: the camera needs its frames. */
std::shared_ptr<const Part> copy_of(const Part& part);

}  // namespace vedette
