#include "yuv_picture.h"

#include <algorithm>
#include <cstring>
#include <string>

extern "C" {
#include <libavutil/frame.h>
}

namespace vedette {

namespace {

constexpr int MIDDLE = 128;
// as for every picture here; no memory is taken for what a header claims beyond it
constexpr int64_t MAX_PIXELS = 64'000'000;

/** From the full range of JPEGs: brightness to 16..235, colour to 16..240. */
constexpr uint8_t limited_luma(int value) { return static_cast<uint8_t>(((value * 220 + 128) >> 8) + 16); }
constexpr uint8_t limited_chroma(int value) { return static_cast<uint8_t>(((value * 224 + 128) >> 8) + 16); }

void fill_luma(AVFrame& to, const uint8_t* from, int stride) {
  for (int y = 0; y < to.height; y++) {
    const uint8_t* source = from + static_cast<ptrdiff_t>(y) * stride;
    uint8_t* target = to.data[0] + static_cast<ptrdiff_t>(y) * to.linesize[0];
    for (int x = 0; x < to.width; x++) target[x] = limited_luma(source[x]);
  }
}

void fill_gray(AVFrame& to) {
  for (int plane = 1; plane <= 2; plane++)
    for (int y = 0; y < to.height / 2; y++)
      std::memset(to.data[plane] + static_cast<ptrdiff_t>(y) * to.linesize[plane], MIDDLE,
                  static_cast<size_t>(to.width) / 2);
}

/** One of the two planes of colour, halved in the directions in which the JPEG has more than every second. */
void fill_chroma(AVFrame& to, int plane, const uint8_t* from, const JpegPlanes& planes) {
  const int columns = std::max(1, 2 >> planes.shift_x), rows = std::max(1, 2 >> planes.shift_y);
  for (int y = 0; y < to.height / 2; y++) {
    uint8_t* target = to.data[plane] + static_cast<ptrdiff_t>(y) * to.linesize[plane];
    const uint8_t* upper = from + static_cast<ptrdiff_t>(2 * y >> planes.shift_y) * planes.chroma_width;
    const uint8_t* lower = upper + static_cast<ptrdiff_t>(rows - 1) * planes.chroma_width;
    for (int x = 0; x < to.width / 2; x++) {
      const int left = 2 * x >> planes.shift_x, right = left + columns - 1;
      target[x] = limited_chroma((upper[left] + upper[right] + lower[left] + lower[right] + 2) >> 2);
    }
  }
}

[[noreturn]] void corrupt(const std::string& why) {
  throw Fault{"picture.corrupt", "the picture cannot be decoded: " + why};
}

}  // namespace

YuvPicture::YuvPicture() : picture_(av_frame_alloc()) {}

YuvPicture::~YuvPicture() { av_frame_free(&picture_); }

/** Room for a picture. An encoder may still have the one before. */
void YuvPicture::begin(int width, int height) {
  const int even_width = width & ~1, even_height = height & ~1;
  if (even_width < 2 || even_height < 2)
    corrupt("it has " + std::to_string(width) + "x" + std::to_string(height) + " pixels, and a video needs 2x2");
  if (picture_->width != even_width || picture_->height != even_height) {
    av_frame_unref(picture_);
    picture_->format = AV_PIX_FMT_YUV420P;
    picture_->width = even_width;
    picture_->height = even_height;
    picture_->color_range = AVCOL_RANGE_MPEG;
    if (av_frame_get_buffer(picture_, 0) >= 0) return;
    picture_->width = picture_->height = 0;
  } else if (av_frame_make_writable(picture_) >= 0) {
    return;
  }
  throw Fault{"engine.failed", "there is no memory for a picture of " + std::to_string(width) + "x" +
                                   std::to_string(height) + " pixels"};
}

AVFrame* YuvPicture::of_jpeg(const uint8_t* bytes, size_t length) {
  try {
    JpegReader reader(bytes, length);
    if (static_cast<int64_t>(reader.width()) * reader.height() > MAX_PIXELS) corrupt("it has more than 64 megapixels");
    read(reader);
  } catch (const BadJpeg& bad) {
    corrupt(bad.what());
  }
  return picture_;
}

/** In grey where its colours do not lie in planes of their own. */
void YuvPicture::read(JpegReader& reader) {
  JpegPlanes planes{reader.width(), reader.height()};
  const bool has_colour = !reader.is_rgb() && reader.has_planes(planes);
  const auto samples = static_cast<size_t>(planes.chroma_width) * planes.chroma_height;
  luma_.resize(static_cast<size_t>(planes.width) * planes.height);
  cb_.resize(samples);
  cr_.resize(samples);
  if (has_colour) reader.read_planes(planes, luma_.data(), cb_.data(), cr_.data());
  else reader.read_gray(luma_.data(), static_cast<size_t>(planes.width));
  begin(reader.width(), reader.height());
  fill_luma(*picture_, luma_.data(), planes.width);
  if (!has_colour) return fill_gray(*picture_);
  fill_chroma(*picture_, 1, cb_.data(), planes);
  fill_chroma(*picture_, 2, cr_.data(), planes);
}

AVFrame* YuvPicture::of_gray(const uint8_t* pixels, int width, int height, int stride) {
  begin(width, height);
  fill_luma(*picture_, pixels, stride);
  fill_gray(*picture_);
  return picture_;
}

AVFrame* YuvPicture::plain(int width, int height) {
  begin(width, height);
  for (int y = 0; y < picture_->height; y++)
    std::memset(picture_->data[0] + static_cast<ptrdiff_t>(y) * picture_->linesize[0], MIDDLE,
                static_cast<size_t>(picture_->width));
  fill_gray(*picture_);
  return picture_;
}

}  // namespace vedette
