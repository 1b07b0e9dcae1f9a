// Decoding and encoding of whole pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frame.h"
#include "png_file.h"
#include "source.h"

namespace vedette {

/** Bounds the memory that a forged header can ask for. */
constexpr int64_t MAX_PIXELS = 64'000'000;

/** Width and height from the header alone. Throws Fault `picture.corrupt`. */
void read_picture_size(const uint8_t* bytes, size_t length, int& width, int& height, std::string& format);

/** Decodes JPEGs and PNGs, reusing the buffers. Throws Fault `picture.corrupt`. One decoder object per thread. */
class PictureDecoder {
 public:
  PictureDecoder() = default;
  PictureDecoder(const PictureDecoder&) = delete;
  PictureDecoder& operator=(const PictureDecoder&) = delete;
  void decode_gray(const uint8_t* bytes, size_t length, GrayImage& out);
  /** The same grey, and the colour; `chroma` stays empty when the picture has none. */
  void decode_colour(const uint8_t* bytes, size_t length, GrayImage& out, Chroma& chroma);

 private:
  void decode(const uint8_t* bytes, size_t length, GrayImage& out, Chroma* chroma);
  std::vector<uint8_t> rgb_;
  PngPixels png_;
};

/**
 * Pixels with another owner: a byte for each of one channel, three of blue, green and red. stride: bytes from one row
 * to the next.
 */
struct Pixels {
  const uint8_t* data = nullptr;
  int width = 0, height = 0, stride = 0, channels = 1;
};

/**
 * Encodes to JPEG, shrinking first to max_width when that is above 0 and smaller. The returned bytes are the caller's.
 */
class PictureEncoder {
 public:
  PictureEncoder();
  ~PictureEncoder();
  PictureEncoder(const PictureEncoder&) = delete;
  PictureEncoder& operator=(const PictureEncoder&) = delete;
  std::vector<uint8_t> encode(const Pixels& image, int quality, int max_width, int& out_width, int& out_height);
  std::vector<uint8_t> encode_gray(const GrayImage& image, int quality, int max_width, int& out_width,
                                   int& out_height) {
    return encode({image.data(), image.width, image.height, image.stride, 1}, quality, max_width, out_width,
                  out_height);
  }

 private:
  void* turbo_;
  std::vector<uint8_t> shrunk_;
};

}  // namespace vedette
