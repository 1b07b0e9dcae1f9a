// A picture as a part of a multipart answer: made once, written to every viewer of its kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mailbox.h"

namespace vedette {

/** head: its headers, up to the empty line. The boundary behind it belongs to the viewer. is_placeholder: stands for pictures that do not come. */
struct Part {
  std::string head;
  std::vector<uint8_t> jpeg;
  int64_t captured_us = 0;
  bool is_placeholder = false;
};

/** The headers are those that api/streams/picture-part.ts writes. */
std::shared_ptr<const Part> part_of(EncodedPicture picture);

/** A JPEG that stands for pictures that do not come. */
std::shared_ptr<const Part> placeholder_of(std::vector<uint8_t> jpeg);

}  // namespace vedette
