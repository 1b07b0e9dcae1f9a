#include "yuv_picture.h"

#include <algorithm>
#include <cstring>
#include <string>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

namespace vedette {

namespace {

constexpr int MIDDLE = 128;
constexpr int64_t MOST_PIXELS = 64'000'000;  // as for every picture here; no memory is taken for what a header claims beyond it

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
    for (int y = 0; y < to.height / 2; y++) std::memset(to.data[plane] + static_cast<ptrdiff_t>(y) * to.linesize[plane], MIDDLE, static_cast<size_t>(to.width) / 2);
}

/** One of the two planes of colour, halved in the directions in which the JPEG has more than every second. */
void fill_chroma(AVFrame& to, const AVFrame& from, int plane, int shift_x, int shift_y) {
  const int columns = std::max(1, 2 >> shift_x), rows = std::max(1, 2 >> shift_y);
  for (int y = 0; y < to.height / 2; y++) {
    uint8_t* target = to.data[plane] + static_cast<ptrdiff_t>(y) * to.linesize[plane];
    const uint8_t* upper = from.data[plane] + static_cast<ptrdiff_t>(2 * y >> shift_y) * from.linesize[plane];
    const uint8_t* lower = upper + static_cast<ptrdiff_t>(rows - 1) * from.linesize[plane];
    for (int x = 0; x < to.width / 2; x++) {
      const int left = 2 * x >> shift_x, right = left + columns - 1;
      target[x] = limited_chroma((upper[left] + upper[right] + lower[left] + lower[right] + 2) >> 2);
    }
  }
}

[[noreturn]] void corrupt(const std::string& why) { throw Fault{"picture.corrupt", "the picture cannot be decoded: " + why}; }

}  // namespace

YuvPicture::YuvPicture() : picture_(av_frame_alloc()), decoded_(av_frame_alloc()), packet_(av_packet_alloc()) {}

YuvPicture::~YuvPicture() {
  av_frame_free(&picture_);
  av_frame_free(&decoded_);
  av_packet_free(&packet_);
  avcodec_free_context(&jpeg_);
}

/** Room for a picture. An encoder may still have the one before. */
void YuvPicture::begin(int width, int height) {
  const int even_width = width & ~1, even_height = height & ~1;
  if (even_width < 2 || even_height < 2) corrupt("it has " + std::to_string(width) + "x" + std::to_string(height) + " pixels, and a video needs 2x2");
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
  throw Fault{"engine.failed", "there is no memory for a picture of " + std::to_string(width) + "x" + std::to_string(height) + " pixels"};
}

AVFrame* YuvPicture::of_jpeg(const uint8_t* bytes, size_t length) {
  if (!jpeg_) {
    const AVCodec* codec = avcodec_find_decoder(AV_CODEC_ID_MJPEG);
    jpeg_ = codec ? avcodec_alloc_context3(codec) : nullptr;
    if (!jpeg_) corrupt("FFmpeg's libraries have no decoder for JPEGs here");
    jpeg_->thread_count = 1;
    jpeg_->max_pixels = MOST_PIXELS;
    if (const int result = avcodec_open2(jpeg_, codec, nullptr); result < 0) corrupt(av_text(result));
  }
  packet_->data = const_cast<uint8_t*>(bytes);  // lent, and copied by who needs it longer
  packet_->size = static_cast<int>(length);
  if (const int result = avcodec_send_packet(jpeg_, packet_); result < 0) corrupt(av_text(result));
  if (const int result = avcodec_receive_frame(jpeg_, decoded_); result < 0) corrupt(av_text(result));
  begin(decoded_->width, decoded_->height);
  fill(*decoded_);
  av_frame_unref(decoded_);
  return picture_;
}

void YuvPicture::fill(const AVFrame& decoded) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(decoded.format));
  if (!format || format->comp[0].depth != 8 || (format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL))) corrupt("its colours are stored in a way that is unusual in JPEGs");
  fill_luma(*picture_, decoded.data[0], decoded.linesize[0]);
  if (format->nb_components < 3 || !(format->flags & AV_PIX_FMT_FLAG_PLANAR)) return fill_gray(*picture_);
  for (int plane = 1; plane <= 2; plane++) fill_chroma(*picture_, decoded, plane, format->log2_chroma_w, format->log2_chroma_h);
}

AVFrame* YuvPicture::of_gray(const uint8_t* pixels, int width, int height, int stride) {
  begin(width, height);
  fill_luma(*picture_, pixels, stride);
  fill_gray(*picture_);
  return picture_;
}

AVFrame* YuvPicture::plain(int width, int height) {
  begin(width, height);
  for (int y = 0; y < picture_->height; y++) std::memset(picture_->data[0] + static_cast<ptrdiff_t>(y) * picture_->linesize[0], MIDDLE, static_cast<size_t>(picture_->width));
  fill_gray(*picture_);
  return picture_;
}

}  // namespace vedette
