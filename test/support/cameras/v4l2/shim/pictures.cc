#include "pictures.h"

extern "C" {
#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>
}
#include <linux/videodev2.h>
#include <turbojpeg.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace shim {
namespace {

constexpr int JPEG_QUALITY = 90;
constexpr uint8_t PAPER = 255, NEUTRAL = 128;

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<uint8_t> encode(const std::vector<uint8_t>& gray, int width, int height) {
  tjhandle turbo = tjInitCompress();
  unsigned char* jpeg = nullptr;
  unsigned long size = 0;
  tjCompress2(turbo, gray.data(), width, width, height, TJPF_GRAY, &jpeg, &size, TJSAMP_GRAY, JPEG_QUALITY, 0);
  std::vector<uint8_t> bytes(jpeg, jpeg + size);
  tjFree(jpeg);
  tjDestroy(turbo);
  return bytes;
}

/** Pairs of brightness and colour. */
std::vector<uint8_t> interleaved(const std::vector<uint8_t>& gray, bool gray_first) {
  std::vector<uint8_t> out(2 * gray.size(), NEUTRAL);
  for (size_t index = 0; index < gray.size(); index++) out[2 * index + (gray_first ? 0 : 1)] = gray[index];
  return out;
}

/** Ten bits each, in two bytes. */
std::vector<uint8_t> ten_bits(const std::vector<uint8_t>& gray) {
  std::vector<uint8_t> out(2 * gray.size());
  for (size_t index = 0; index < gray.size(); index++) {
    const int value = gray[index] << 2 | 3;
    out[2 * index] = static_cast<uint8_t>(value & 0xff);
    out[2 * index + 1] = static_cast<uint8_t>(value >> 8);
  }
  return out;
}

std::vector<uint8_t> paint(const Painting& painting) {
  if (painting.whole_width == 0) return paint_tag(painting.tag_id, painting.width, painting.height);
  const std::vector<uint8_t> whole = paint_tag(painting.tag_id, painting.whole_width, painting.whole_height);
  std::vector<uint8_t> part;
  for (int y = painting.top; y < painting.top + painting.height; y++) {
    const auto row = whole.begin() + static_cast<long>(y) * painting.whole_width + painting.left;
    part.insert(part.end(), row, row + painting.width);
  }
  return part;
}

}  // namespace

std::vector<uint8_t> paint_tag(int64_t tag_id, int width, int height) {
  apriltag_family_t* family = tag36h11_create();
  image_u8_t* tag = apriltag_to_image(family, static_cast<uint32_t>(tag_id % family->ncodes));
  std::vector<uint8_t> gray(static_cast<size_t>(width) * height, PAPER);
  const int scale = height / 2 / family->width_at_border;
  const int left = (width - scale * tag->width) / 2, top = (height - scale * tag->height) / 2;
  for (int y = 0; y < scale * tag->height; y++)
    for (int x = 0; x < scale * tag->width; x++)
      gray[static_cast<size_t>(top + y) * width + left + x] = tag->buf[y / scale * tag->stride + x / scale];
  std::free(tag->buf);  // Debian's library does not offer its own way
  std::free(tag);
  tag36h11_destroy(family);
  return gray;
}

std::vector<uint8_t> in_format(const std::vector<uint8_t>& gray, uint32_t fourcc, int width, int height) {
  switch (fourcc) {
    case V4L2_PIX_FMT_MJPEG:
      return encode(gray, width, height);
    case V4L2_PIX_FMT_YUYV:
      return interleaved(gray, true);
    case V4L2_PIX_FMT_UYVY:
      return interleaved(gray, false);
    case V4L2_PIX_FMT_Y10:
      return ten_bits(gray);
    case V4L2_PIX_FMT_NV12: {
      std::vector<uint8_t> out = gray;
      out.resize(gray.size() * 3 / 2, NEUTRAL);
      return out;
    }
    default:
      return gray;
  }
}

const std::vector<uint8_t>& Pictures::picture(int64_t number, int64_t version, const Painting& painting) {
  if (version != loaded_version_) {
    loaded_version_ = version;
    load();
  }
  if (!laid_.empty()) return laid_[static_cast<size_t>(number) % laid_.size()];
  if (!(painting == painting_)) {
    painted_ = in_format(paint(painting), painting.fourcc, painting.width, painting.height);
    painting_ = painting;
  }
  return painted_;
}

/** Files 0, 1, 2 and so on, until one is missing. */
void Pictures::load() {
  laid_.clear();
  for (int number = 0;; number++) {
    const std::string path = folder_ + "/" + std::to_string(loaded_version_) + "-" + std::to_string(number);
    std::vector<uint8_t> bytes = read_file(path);
    if (bytes.empty()) return;
    laid_.push_back(std::move(bytes));
  }
}

}  // namespace shim
