#include "jpeg_crop.h"

#include <turbojpeg.h>

#include <memory>
#include <string>

#include "jpeg_part.h"
#include "source.h"

namespace vedette {
namespace {

constexpr int QUALITY = 90;  // as recordings of grey pixels have: detectors read these pictures again

using Bytes = std::unique_ptr<unsigned char, void (*)(unsigned char*)>;

[[noreturn]] void fail(const std::string& why) {
  throw Fault{"picture.unencodable", "a part of a picture cannot be cut out: " + why};
}

}  // namespace

JpegCropper::JpegCropper() : compress_(tjInitCompress()) {}

JpegCropper::~JpegCropper() { tjDestroy(compress_); }

std::vector<uint8_t> JpegCropper::crop(const std::vector<uint8_t>& jpeg, const Crop& part) {
  try {
    return cut(jpeg, part);
  } catch (const BadJpeg& bad) {
    fail(bad.what());
  }
}

std::vector<uint8_t> JpegCropper::cut(const std::vector<uint8_t>& jpeg, const Crop& part) {
  JpegReader whole(jpeg.data(), jpeg.size());
  if (!part.fits(whole.width(), whole.height())) fail("it does not lie in it");
  const int left = part.x % block_width(whole), top = part.y % block_height(whole);  // too much, until it is decoded
  const int width = part.width + left, height = part.height + top;
  std::vector<uint8_t> cut = copy_jpeg_part(whole, {part.x - left, part.y - top, width, height});
  if (left == 0 && top == 0) return cut;

  JpegReader reader(cut.data(), cut.size());
  const bool is_gray = reader.is_gray();
  const int format = is_gray ? TJPF_GRAY : TJPF_RGB, channels = is_gray ? 1 : 3, pitch = width * channels;
  pixels_.resize(static_cast<size_t>(pitch) * height);
  if (is_gray) reader.read_gray(pixels_.data(), static_cast<size_t>(pitch));
  else reader.read_rgb(pixels_.data(), static_cast<size_t>(pitch));
  const uint8_t* const from = pixels_.data() + static_cast<size_t>(top) * pitch + static_cast<size_t>(left) * channels;
  const int sampling = reader.sampling() < 0 ? static_cast<int>(TJSAMP_420) : reader.sampling();
  unsigned char* encoded = nullptr;
  unsigned long length = 0;
  const int encoding =
      tjCompress2(compress_, from, part.width, pitch, part.height, format, &encoded, &length, sampling, QUALITY, 0);
  const Bytes owned(encoded, tjFree);
  if (encoding != 0) fail(tjGetErrorStr2(compress_));
  return {encoded, encoded + length};
}

}  // namespace vedette
