#include "video_tap.h"

#include "held_sink.h"
#include "jpeg_start.h"

namespace vedette {

void VideoTap::set_sink(VedettePictureSink* sink) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sink_ = held(sink);
  is_needed_ = sink_ != nullptr;
}

std::shared_ptr<VedettePictureSink> VideoTap::sink() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sink_;
}

void VideoTap::captured(const Frame& frame) {
  if (!is_needed_) return;
  if (frame.encoded.empty()) return gray(frame);
  if (!is_jpeg(frame.encoded)) return;
  if (const auto to = sink()) to->take(to->self, frame.encoded.data(), frame.encoded.size(), frame.captured_us);
}

void VideoTap::processed(const Frame& frame) {
  if (is_needed_ && !frame.encoded.empty() && !is_jpeg(frame.encoded)) gray(frame);
}

void VideoTap::gray(const Frame& frame) {
  const GrayImage& image = frame.gray;
  if (const auto to = sink()) to->take_gray(to->self, image.pixels.data(), image.width, image.height, image.stride, frame.captured_us);
}

}  // namespace vedette
