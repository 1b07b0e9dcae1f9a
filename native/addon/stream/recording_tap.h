// Where a recording gets its pictures and results from, and what is kept of them for one that is ordered afterwards. It outlives openings of the camera;
// while nothing is recorded nor kept it costs one look at a flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "fair_mutex.h"
#include "picture.h"
#include "picture_sink.h"
#include "rewind_ring.h"

namespace vedette {

/** A packed result. opening: of the camera, from 1; another may have another layout. */
struct RecordedResult {
  int64_t opening;
  std::vector<double> packed;
};

class RecordingTap {
 public:
  RecordingTap() = default;
  ~RecordingTap();
  RecordingTap(const RecordingTap&) = delete;
  RecordingTap& operator=(const RecordingTap&) = delete;

  /**
   * Any thread but those below, as the next two. None: nothing is recorded from now on; what waits to be encoded for it is dropped. rewinds: what is kept goes there first,
   * and stays kept.
   */
  void set_sink(VedettePictureSink* sink, bool rewinds = false);
  /** How much is kept, in bytes, in memory; 0: nothing. Another number drops what was kept. Throws Fault. */
  void set_rewind(size_t max_bytes);
  /** The camera was opened anew; pictures of another size, or another part, are not recorded together with those before. Returns the number of the opening. */
  int64_t reopened(const SourceFormat& format);

  /** The capture thread's call with each new picture, before anybody may skip it. A whole JPEG is recorded as it came; parts and grey pixels are encoded on a thread of their own. */
  void captured(const std::shared_ptr<const Frame>& frame);
  /** The worker's call: a picture that came in another format has been decoded by now. */
  void processed(const std::shared_ptr<const Frame>& frame);
  /** The worker's call with each packed result. */
  void result(const std::vector<double>& packed);

  /** What was recorded since the last call, and what had to be left out. */
  struct Taken {
    std::deque<RecordedResult> results;
    int64_t results_lost = 0, pictures_lost = 0;
  };
  Taken take();

 private:
  void encode();
  void gray(const std::shared_ptr<const Frame>& frame);
  void wait_for_encoder(const std::shared_ptr<const Frame>& frame);
  void jpeg(const std::vector<uint8_t>& bytes, int64_t captured_us);
  bool rewind_one(RewindRing::Place& place, VedettePictureSink& to);
  void follow_need(std::unique_lock<FairMutex>& lock);

  std::atomic<bool> is_needed_{false};
  FairMutex mutex_;  // a clip of seconds is copied under it, one picture at a time: the camera's thread is not to wait for all of them
  std::condition_variable_any changed_;
  std::shared_ptr<VedettePictureSink> sink_;
  std::unique_ptr<RewindRing> ring_;
  int64_t opening_ = 0;
  Crop part_;  // what its pictures are of the camera's
  std::deque<std::shared_ptr<const Frame>> waiting_;  // to be encoded
  Taken taken_;
  size_t new_results_ = 0;  // of those, without the kept ones
  std::thread encoder_;     // while something is recorded or kept
};

}  // namespace vedette
