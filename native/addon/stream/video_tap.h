// Where the encoder of live video gets its pictures from. It outlives openings of the camera; while nobody watches one
// it costs one look at a flag.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "frame.h"
#include "latest_slot.h"
#include "picture_sink.h"

namespace vedette {

class VideoTap {
 public:
  VideoTap() = default;
  ~VideoTap();
  VideoTap(const VideoTap&) = delete;
  VideoTap& operator=(const VideoTap&) = delete;

  /** Any thread. None: nobody watches. The sink takes grey pixels too. */
  void set_sink(VedettePictureSink* sink);

  /** The capture thread's call with each new picture. */
  void captured(const std::shared_ptr<const Frame>& frame);
  /** The worker's call: a picture that came in another format has been decoded by now. */
  void processed(const Frame& frame);

 private:
  std::shared_ptr<VedettePictureSink> sink();
  void gray(const Frame& frame);
  void cut(const std::shared_ptr<const Frame>& frame);
  void cut_each();

  std::atomic<bool> is_needed_{false};
  std::mutex mutex_;
  std::shared_ptr<VedettePictureSink> sink_;
  // of whose JPEGs a part is wanted: to cut it takes milliseconds, which capturing does not have
  LatestSlot<std::shared_ptr<const Frame>> waiting_;
  std::thread cutter_;
};

}  // namespace vedette
