// Where a recording gets its pictures and results from. It outlives openings of the camera; while nothing is recorded it costs one look at a flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "picture.h"
#include "picture_sink.h"

namespace vedette {

class RecordingTap {
 public:
  RecordingTap() = default;
  ~RecordingTap() { set_sink(nullptr); }
  RecordingTap(const RecordingTap&) = delete;
  RecordingTap& operator=(const RecordingTap&) = delete;

  /** Any thread but those below. None: nothing is recorded from now on; what waits to be encoded is dropped. Returns when the sink is not used any more. */
  void set_sink(VedettePictureSink* sink);

  /** The capture thread's call with each new picture, before anybody may skip it. A JPEG is recorded as it came, grey pixels are encoded on a thread of their own. */
  void captured(const std::shared_ptr<const Frame>& frame);
  /** The worker's call: a picture that came in another format has been decoded by now. */
  void processed(const std::shared_ptr<const Frame>& frame);
  /** The worker's call with each packed result. */
  void result(const std::vector<double>& packed);
  /** The camera was opened anew: results that follow may have another layout. Leaves an empty one among them as a mark. */
  void reopened() { result({}); }

  /** What was recorded since the last call, and what had to be left out. */
  struct Taken {
    std::deque<std::vector<double>> results;
    int64_t results_lost = 0, pictures_lost = 0;
  };
  Taken take();

 private:
  void encode();
  void wait_for_encoder(const std::shared_ptr<const Frame>& frame);
  std::shared_ptr<VedettePictureSink> sink();

  std::atomic<bool> is_recording_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<VedettePictureSink> sink_;
  std::deque<std::shared_ptr<const Frame>> waiting_;  // to be encoded
  Taken taken_;
  std::thread encoder_;  // while something is recorded
};

}  // namespace vedette
