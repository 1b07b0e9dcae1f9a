// Where a recording gets its pictures and results from, and what is kept of them for one that is ordered afterwards. It
// outlives openings of the camera; while nothing is recorded nor kept it costs one look at a flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "fair_mutex.h"
#include "jpeg_crop.h"
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
   * Any thread but those below, as the next three. None: nothing is recorded from now on; what waits to be encoded for
   * it is lost. rewinds: what is kept goes there first, and stays kept.
   */
  void set_sink(VedettePictureSink* sink, bool rewinds = false);
  /**
   * Nothing that is captured from now on is recorded. True: all from before has been handed over, and so have its
   * results. To be called again until then, or until set_sink.
   */
  bool end();
  /**
   * How much is kept, in bytes, in memory; 0: nothing. Another number drops what was kept. is_paused: what is kept
   * stays, and no more is. Throws Fault.
   */
  void set_rewind(size_t max_bytes, bool is_paused = false);
  /** What is kept; nothing when nothing is to be. */
  std::optional<RewindRing::Kept> kept();
  /**
   * The camera was opened again; where its pictures have another size, or are another part, a recording of those before
   * has ended. Returns the number of the opening.
   */
  int64_t reopened(const SourceFormat& format);

  /**
   * The capture thread's call with each new picture, before anybody may skip it. A whole JPEG is recorded as it came;
   * parts and grey pixels are encoded on a thread of their own. One of another size than the camera was opened with is
   * not recorded.
   */
  void captured(const std::shared_ptr<const Frame>& frame);
  /** The worker's call: a picture that came in another format has been decoded by now. */
  void processed(const std::shared_ptr<const Frame>& frame);
  /** The worker's call with each packed result. */
  void result(const std::vector<double>& packed);
  /** The worker's call with a picture that has no result; its last, with none: it is done with this opening. */
  void no_result(const Frame* frame);

  /** What was recorded since the last call, and what had to be left out. */
  struct Taken {
    std::deque<RecordedResult> results;
    int64_t results_lost = 0, pictures_lost = 0;
  };
  Taken take();

 private:
  /**
   * A picture to be encoded. to: none where it is only kept. part: the number of that which it shows; what is kept is
   * all of one.
   */
  struct Waiting {
    std::shared_ptr<const Frame> frame;
    std::shared_ptr<VedettePictureSink> to;
    int64_t part = 0;
    bool is_kept = false;
  };
  bool keeps() const { return ring_ && !is_paused_; }
  bool takes(const Frame& frame);
  void jpeg(const Frame& frame);
  void gray(const std::shared_ptr<const Frame>& frame);
  void wait_for_encoder(const std::shared_ptr<const Frame>& frame);
  /** What becomes of one of them. */
  struct Encoding {
    std::shared_ptr<const Frame> frame;
    bool goes_gray = false, becomes_jpeg = false;
    std::vector<uint8_t> jpeg;
  };
  void encode();
  static std::vector<uint8_t> jpeg_of(const Frame& frame, PictureEncoder& encoder, JpegCropper& cropper);
  void finish(const Encoding& work);
  bool rewind_one(RewindRing::Place& place, VedettePictureSink& to);
  void follow_need(std::unique_lock<FairMutex>& lock);

  std::atomic<bool> is_needed_{false};
  // a clip of seconds is copied under it, one picture at a time: the camera's thread is not to wait for all of them
  FairMutex mutex_;
  std::condition_variable_any changed_;
  // A thread that has a picture for a sink has a share of it: a sink without other shares has been given everything.
  std::shared_ptr<VedettePictureSink> sink_, ending_;
  std::unique_ptr<RewindRing> ring_;
  int64_t opening_ = 0, part_number_ = 0;
  Crop part_;  // what its pictures are of the camera's
  // Capture times in this opening: of the last picture for a sink, and of the last with which the worker is done.
  int64_t last_us_ = NONE, done_us_ = NONE;
  int64_t newest_us_ = NONE;  // of all that are kept
  bool is_paused_ = false;
  int64_t paused_us_ = NONE;  // the results of pictures up to this one are still kept
  std::deque<Waiting> waiting_;
  Taken taken_;
  size_t new_results_ = 0;  // of those, without the kept ones
  std::thread encoder_;     // while something is recorded or kept

  static constexpr int64_t NONE = INT64_MIN;
};

}  // namespace vedette
