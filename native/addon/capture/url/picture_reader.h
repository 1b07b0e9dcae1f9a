// Finds the pictures in what a camera on the network sends, while its bytes come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vedette {

/**
 * A JPEG and when it began to come (CLOCK_MONOTONIC, microseconds). number: counted from 1, also those that nobody
 * took. taken_us: when it was taken, by the clock of a device of this kind (X-Captured-Us); 0: it does not say.
 */
struct ReceivedPicture {
  int64_t number = 0, began_us = 0, taken_us = 0;
  std::vector<uint8_t> jpeg;
};

/** Keeps the newest whole picture. */
class PictureReader {
 public:
  virtual ~PictureReader() = default;

  /** Throws Fault `camera.unreadable` when these are no pictures of the kind that is read, or one has no end. */
  virtual void push(const uint8_t* bytes, size_t length) = 0;

  /** Moves the newest picture that was not taken yet to `out`. */
  bool take(ReceivedPicture& out) {
    if (!has_picture_) return false;
    has_picture_ = false;
    std::swap(out, picture_);  // its buffer is filled again
    return true;
  }

  bool has_picture() const { return has_picture_; }

 protected:
  static constexpr size_t MAX_PICTURE_BYTES = 16 * 1024 * 1024;  // a JPEG of 12 megapixels has 10 MB at most

  void keep(const uint8_t* bytes, size_t length, int64_t began_us, int64_t taken_us) {
    picture_.jpeg.assign(bytes, bytes + length);
    picture_.number = ++pictures_;
    picture_.began_us = began_us;
    picture_.taken_us = taken_us;
    has_picture_ = true;
  }

 private:
  int64_t pictures_ = 0;
  bool has_picture_ = false;
  ReceivedPicture picture_;
};

}  // namespace vedette
