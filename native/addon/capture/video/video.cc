#include "video.h"

#include <algorithm>
#include <cstring>
#include <utility>

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
  for (int x = 0; x < width; x++) to[x] = static_cast<uint8_t>(std::clamp((from[x] - 16) * 298 / 256, 0, 255));  // 298 / 256 is 255 / 219
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
    if (picture.bits == 8)
      copy_row(from, to, picture.width, picture.is_limited);
    else
      copy_deep_row(from, to, picture.width, picture.bits, picture.is_limited);
  }
}

}  // namespace

Video::Video(const std::string& library, const VedetteVideoInput& input) {
  VedetteOpenVideo* const open = video_library(library);
  VedetteVideoFault fault{};
  if (!open(&input, &reader_, &fault)) throw Fault{fault.code, fault.detail};
}

Video::~Video() { reader_.close(reader_.self); }

void Video::put_back(Frame&& frame, int64_t pts_us) { put_back_ = PutBack{std::move(frame), pts_us}; }

VideoStep Video::next(Frame& frame, int64_t& pts_us, Fault& fault) {
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
  frame.has_truth = false;
  if (!picture.jpeg) {
    frame.missed = std::exchange(missed_, 0);
    frame.encoded.clear();
    frame.width = picture.width;
    frame.height = picture.height;
    copy_luma(picture, frame.gray);
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
  frame.encoded.assign(picture.jpeg, picture.jpeg + picture.jpeg_bytes);
  return VideoStep::picture;
}

std::string Video::pixel_format() const { return std::strcmp(reader_.codec, "mjpeg") == 0 ? "jpeg" : reader_.codec; }

}  // namespace vedette
