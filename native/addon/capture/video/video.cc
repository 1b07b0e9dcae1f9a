#include "video.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "huffman_tables.h"
#include "picture.h"
#include "video_library.h"

namespace vedette {

namespace {

/** Limited range (16 to 235) stretched to all 256 values, as the pictures of every other source have it. */
void copy_row(const uint8_t* from, uint8_t* to, int width, bool is_limited) {
  if (!is_limited) {
    std::memcpy(to, from, static_cast<size_t>(width));
    return;
  }
  // 298 / 256 is 255 / 219
  for (int x = 0; x < width; x++) to[x] = static_cast<uint8_t>(std::clamp((from[x] - 16) * 298 / 256, 0, 255));
}

void copy_deep_row(const uint8_t* from, uint8_t* to, int width, int bits, bool is_limited) {
  for (int x = 0; x < width; x++) to[x] = static_cast<uint8_t>((from[2 * x] | from[2 * x + 1] << 8) >> (bits - 8));
  if (is_limited) copy_row(to, to, width, true);
}

void copy_luma(const VedetteVideoPicture& picture, GrayImage& out) {
  out.resize(picture.width, picture.height);
  for (int y = 0; y < picture.height; y++) {
    const uint8_t* from = picture.luma + static_cast<ptrdiff_t>(y) * picture.stride;
    uint8_t* to = out.pixels.data() + static_cast<size_t>(y) * out.stride;
    if (picture.bits == 8) copy_row(from, to, picture.width, picture.is_limited);
    else copy_deep_row(from, to, picture.width, picture.bits, picture.is_limited);
  }
}

/** Limited range (16 to 240 about 128) stretched as the brightness is. */
// 291 / 256 is 255 / 224
uint8_t widened(int sample) {
  return static_cast<uint8_t>(std::clamp((((sample - 128) * 291 + 128) >> 8) + 128, 0, 255));
}

void copy_samples(const VedetteVideoPicture& picture, const uint8_t* plane, const Chroma& size,
                  std::vector<uint8_t>& out) {
  for (int y = 0; y < size.height; y++) {
    const uint8_t* from = plane + static_cast<ptrdiff_t>(y) * picture.chroma_stride;
    uint8_t* to = out.data() + static_cast<size_t>(y) * size.width;
    for (int x = 0; x < size.width; x++, from += picture.chroma_step) {
      const int sample = picture.bits == 8 ? *from : (from[0] | from[1] << 8) >> (picture.bits - 8);
      to[x] = picture.is_limited ? widened(sample) : static_cast<uint8_t>(sample);
    }
  }
}

void copy_chroma(const VedetteVideoPicture& picture, Chroma& out) {
  const auto samples = [](int pixels, int shift) { return (pixels + (1 << shift) - 1) >> shift; };
  out.resize(samples(picture.width, picture.shift_x), samples(picture.height, picture.shift_y), picture.shift_x,
             picture.shift_y);
  out.is_bt709 = picture.is_bt709;
  copy_samples(picture, picture.cb, out, out.cb);
  copy_samples(picture, picture.cr, out, out.cr);
}

}  // namespace

Video::Video(const std::string& library, const VedetteVideoInput& input) {
  VedetteOpenVideo* const open = video_library(library);
  VedetteVideoFault fault{};
  if (!open(&input, &reader_, &fault)) throw Fault{fault.code, fault.detail};
}

Video::~Video() { reader_.close(reader_.self); }

void Video::put_back(Frame&& frame, int64_t pts_us) { put_back_ = PutBack{std::move(frame), pts_us}; }

VideoStep Video::next(Frame& frame, int64_t& pts_us, Fault& fault, bool in_colour) {
  if (put_back_) {
    std::swap(frame, put_back_->frame);
    pts_us = put_back_->pts_us;
    put_back_.reset();
    return VideoStep::picture;
  }
  VedetteVideoPicture picture{};
  VedetteVideoFault said{};
  switch (reader_.next(reader_.self, &picture, &said)) {
    case VedetteVideoStep::ended:
      return VideoStep::ended;
    case VedetteVideoStep::failed:
      throw Fault{said.code, said.detail};
    case VedetteVideoStep::corrupt:
      missed_++;
      fault = {said.code, said.detail};
      return VideoStep::corrupt;
    case VedetteVideoStep::picture:
      break;
  }
  pts_us = picture.pts_us;
  was_waited_for_ = picture.was_waited_for;
  missed_ += picture.missed;
  frame.name.clear();
  frame.exposure_us = 0;
  frame.has_truth = false;
  if (!picture.jpeg) {
    frame.missed = std::exchange(missed_, 0);
    frame.encoded.clear();
    copy_luma(picture, frame.gray);
    if (picture.cb && in_colour) copy_chroma(picture, frame.chroma);
    else frame.chroma.clear();
    turner_.set_upright(frame.gray, frame.chroma, reader_.orientation);
    frame.width = frame.gray.width;
    frame.height = frame.gray.height;
    frame.is_colour_left_out = picture.cb && !in_colour;
    return VideoStep::picture;
  }
  try {
    std::string format;
    read_picture_size(picture.jpeg, picture.jpeg_bytes, frame.width, frame.height, format);
    if (format != "jpeg") throw Fault{"picture.corrupt", "a picture of the video is no JPEG"};
  } catch (const Fault& corrupt) {
    missed_++;
    fault = corrupt;
    return VideoStep::corrupt;
  }
  frame.missed = std::exchange(missed_, 0);
  copy_jpeg_with_tables(picture.jpeg, picture.jpeg_bytes, frame.encoded);
  return reader_.orientation == UPRIGHT ? VideoStep::picture : set_upright(frame, fault);
}

VideoStep Video::set_upright(Frame& frame, Fault& fault) {
  try {
    frame.encoded = upright_jpeg(frame.encoded, reader_.orientation);
  } catch (const Fault& corrupt) {
    missed_ = frame.missed + 1;
    fault = corrupt;
    return VideoStep::corrupt;
  }
  if (is_on_its_side(reader_.orientation)) std::swap(frame.width, frame.height);
  return VideoStep::picture;
}

std::string Video::pixel_format() const { return std::strcmp(reader_.codec, "mjpeg") == 0 ? "jpeg" : reader_.codec; }

}  // namespace vedette
