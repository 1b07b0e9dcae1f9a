// Where the encoder of live video gets its pictures from. It outlives openings of the camera; while nobody watches one it costs one look at a flag.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "frame.h"
#include "picture_sink.h"

namespace vedette {

class VideoTap {
 public:
  VideoTap() = default;
  VideoTap(const VideoTap&) = delete;
  VideoTap& operator=(const VideoTap&) = delete;

  /** Any thread. None: nobody watches. The sink takes grey pixels too. */
  void set_sink(VedettePictureSink* sink);

  /** The capture thread's call with each new picture. */
  void captured(const Frame& frame);
  /** The worker's call: a picture that came in another format has been decoded by now. */
  void processed(const Frame& frame);

 private:
  std::shared_ptr<VedettePictureSink> sink();
  void gray(const Frame& frame);

  std::atomic<bool> is_needed_{false};
  std::mutex mutex_;
  std::shared_ptr<VedettePictureSink> sink_;
};

}  // namespace vedette
