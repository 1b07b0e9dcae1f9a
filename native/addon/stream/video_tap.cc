#include "video_tap.h"

#include <pthread.h>

#include "held_sink.h"
#include "jpeg_crop.h"
#include "jpeg_start.h"
#include "source.h"

namespace vedette {

VideoTap::~VideoTap() {
  waiting_.close();
  if (cutter_.joinable()) cutter_.join();
}

void VideoTap::set_sink(VedettePictureSink* sink) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sink_ = held(sink);
  is_needed_ = sink_ != nullptr;
}

std::shared_ptr<VedettePictureSink> VideoTap::sink() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sink_;
}

void VideoTap::captured(const std::shared_ptr<const Frame>& frame) {
  if (!is_needed_) return;
  if (frame->encoded.empty()) return gray(*frame);
  if (!is_jpeg(frame->encoded)) return;
  if (!frame->crop.is_whole()) return cut(frame);
  if (const auto to = sink()) to->take(to->self, frame->encoded.data(), frame->encoded.size(), frame->captured_us);
}

void VideoTap::processed(const Frame& frame) {
  if (is_needed_ && !frame.encoded.empty() && !is_jpeg(frame.encoded)) gray(frame);
}

void VideoTap::gray(const Frame& frame) {
  const GrayImage& image = frame.gray;
  if (const auto to = sink())
    to->take_gray(to->self, image.data(), image.width, image.height, image.stride, frame.captured_us);
}

void VideoTap::cut(const std::shared_ptr<const Frame>& frame) {
  if (!cutter_.joinable()) {
    cutter_ = std::thread([this] { cut_each(); });
    pthread_setname_np(cutter_.native_handle(), "video-cut");
  }
  waiting_.put(frame);
}

void VideoTap::cut_each() {
  JpegCropper cropper;
  while (const auto frame = waiting_.take()) {
    try {
      const std::vector<uint8_t> part = cropper.crop((*frame)->encoded, (*frame)->crop);
      if (const auto to = sink()) to->take(to->self, part.data(), part.size(), (*frame)->captured_us);
    } catch (...) {  // Fault, which the pipeline finds too, and says; or no memory for it: the next may fit
    }
  }
}

}  // namespace vedette
