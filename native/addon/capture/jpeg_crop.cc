#include "jpeg_crop.h"

#include <turbojpeg.h>

#include <memory>
#include <string>

#include "source.h"

namespace vedette {
namespace {

constexpr int QUALITY = 90;  // as recordings of grey pixels have: detectors read these pictures again

using Bytes = std::unique_ptr<unsigned char, void (*)(unsigned char*)>;

[[noreturn]] void fail(tjhandle turbo) { throw Fault{"picture.unencodable", std::string("a part of a picture cannot be cut out: ") + tjGetErrorStr2(turbo)}; }

/** What libjpeg warns of (some bytes before the end, as cameras leave them) is no reason: whoever decodes the picture judges it. */
void check(tjhandle turbo, int rc) {
  if (rc != 0 && tjGetErrorCode(turbo) == TJERR_FATAL) fail(turbo);
}

/** What warned before it failed is said to have warned only, and has left a piece of memory with nothing in it. */
bool is_whole(const unsigned char* jpeg, unsigned long length) { return jpeg && length > 4 && jpeg[length - 2] == 0xff && jpeg[length - 1] == 0xd9; }

/** The size of the blocks that are stored together; those of the largest for a layout that has no name. */
void block_size(int sampling, int& width, int& height) {
  const bool is_known = sampling >= 0 && sampling < TJ_NUMSAMP;
  width = is_known ? tjMCUWidth[sampling] : 32;
  height = is_known ? tjMCUHeight[sampling] : 16;
}

}  // namespace

JpegCropper::JpegCropper() { open(); }

JpegCropper::~JpegCropper() { close(); }

void JpegCropper::open() {
  transform_ = tjInitTransform();
  decompress_ = tjInitDecompress();
  compress_ = tjInitCompress();
}

void JpegCropper::close() {
  tjDestroy(transform_);
  tjDestroy(decompress_);
  tjDestroy(compress_);
}

std::vector<uint8_t> JpegCropper::crop(const std::vector<uint8_t>& jpeg, const Crop& part) {
  try {
    return cut(jpeg, part);
  } catch (const Fault&) {
    close();  // libjpeg-turbo 2.1 does not reset itself: the next picture, however good, would fail as well
    open();
    throw;
  }
}

std::vector<uint8_t> JpegCropper::cut(const std::vector<uint8_t>& jpeg, const Crop& part) {
  int width = 0, height = 0, sampling = -1, colours = 0;
  check(transform_, tjDecompressHeader3(transform_, jpeg.data(), jpeg.size(), &width, &height, &sampling, &colours));
  if (!part.fits(width, height)) throw Fault{"picture.unencodable", "a part of a picture cannot be cut out: it does not lie in it"};
  int block_width, block_height;
  block_size(sampling, block_width, block_height);
  const int left = part.x % block_width, top = part.y % block_height;  // too much, until it is decoded

  tjtransform transform{};
  transform.op = TJXOP_NONE;
  transform.options = TJXOPT_CROP | TJXOPT_COPYNONE;
  transform.r = {part.x - left, part.y - top, part.width + left, part.height + top};
  unsigned char* smaller = nullptr;
  unsigned long length = 0;
  const int rc = tjTransform(transform_, jpeg.data(), jpeg.size(), 1, &smaller, &length, &transform, TJFLAG_LIMITSCANS);
  const Bytes owned(smaller, tjFree);
  check(transform_, rc);
  if (!is_whole(smaller, length)) fail(transform_);
  if (left == 0 && top == 0) return {smaller, smaller + length};

  const bool is_gray = sampling == TJSAMP_GRAY;
  const int format = is_gray ? TJPF_GRAY : TJPF_RGB, channels = tjPixelSize[format], pitch = (part.width + left) * channels;
  pixels_.resize(static_cast<size_t>(pitch) * (part.height + top));
  // It was written anew just now: where it warns all the same, nobody knows how far this came.
  if (tjDecompress2(decompress_, smaller, length, pixels_.data(), part.width + left, pitch, part.height + top, format, TJFLAG_LIMITSCANS) != 0) fail(decompress_);
  unsigned char* encoded = nullptr;
  const uint8_t* from = pixels_.data() + static_cast<size_t>(top) * pitch + static_cast<size_t>(left) * channels;
  const int sampled = is_gray || sampling >= 0 ? sampling : TJSAMP_420;
  const int encoding = tjCompress2(compress_, from, part.width, pitch, part.height, format, &encoded, &length, sampled, QUALITY, 0);
  const Bytes owned_too(encoded, tjFree);
  if (encoding != 0) fail(compress_);
  return {encoded, encoded + length};
}

}  // namespace vedette
