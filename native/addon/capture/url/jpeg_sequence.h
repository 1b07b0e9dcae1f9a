// Reads JPEGs that come one behind the other with nothing between them, as ffmpeg's own server and some cameras send
// them.
#pragma once

#include "picture_reader.h"

namespace vedette {

/** What stands between two of them is left out. */
class JpegSequenceReader : public PictureReader {
 public:
  void push(const uint8_t* bytes, size_t length) override;

 private:
  enum class Where { start, segments, scan };

  bool step();
  bool find_start();
  bool pass_segment();
  bool pass_scan();
  void finish();

  std::vector<uint8_t> buffer_;
  size_t begin_ = 0, at_ = 0;  // of the picture; of what is looked at next
  int64_t began_us_ = 0;
  Where where_ = Where::start;
};

}  // namespace vedette
