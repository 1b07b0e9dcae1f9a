// Memory for the pixels of pictures that programs of plugins look at where they lie, without a copy.
#pragma once

#include <mutex>
#include <vector>

#include "pixel_bytes.h"

namespace vedette {

/**
 * One for the process, and none until somebody asks for it. Who is given its descriptor can read all pictures that lie
 * in it, and write to none. What is given back is used again; the system has it back when the process ends.
 */
class PictureMemory : public PixelHome {
 public:
  /** Of all of it. Pages that nobody has used take no memory. */
  static constexpr size_t BYTES = size_t{256} * 1024 * 1024;

  /** nullptr: this system has no such memory. From the first time on the pixels of large pictures lie there. */
  static PictureMemory* of_process();

  /** A descriptor of it, for another process; whoever asks closes it. -1: there are no more. */
  int descriptor() const;
  /** Where in it these pixels lie, which lie in it. */
  size_t place_of(const uint8_t* pixels) const { return static_cast<size_t>(pixels - begin_); }

  uint8_t* take(size_t bytes) override;
  bool has(const uint8_t* pixels) const override { return pixels >= begin_ && pixels < begin_ + BYTES; }
  void give_back(const uint8_t* pixels) override;

 private:
  struct Block {
    size_t at, bytes;
    bool is_taken;
  };
  PictureMemory(int readable, uint8_t* begin) : readable_(readable), begin_(begin) {}
  static PictureMemory* made();
  void join_next(size_t block);

  const int readable_;
  uint8_t* const begin_;
  std::mutex mutex_;
  std::vector<Block> blocks_{{0, BYTES, false}};  // in order, without gaps
};

}  // namespace vedette
