// One recording from its first picture to its last: a bounded queue, and the thread that muxes what is in it. The
// thread that brings pictures never waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "fault.h"
#include "picture_sink.h"

struct AVPacket;

namespace vedette {

class PictureMuxer;
class RecordingFile;
class VideoEncoder;
class YuvPicture;

/**
 * width, height: of the pictures, in pixels. fps: about so many come. fragment_us: after so long the next picture
 * begins another fragment. max_queued_bytes: what waits for a slow disk; more is lost. library: the encoder of H.264;
 * empty: JPEGs are recorded as they are. max_bits_per_s: of H.264, in moving scenes.
 */
struct RecorderOptions {
  std::string path;
  int width = 0, height = 0;
  double fps = 30;
  std::string library;
  int64_t max_bits_per_s = 0;
  int64_t fragment_us = 500'000;
  size_t max_queued_bytes = 32u << 20;
};

/**
 * What there is of a recording. first_us: capture time of the first picture, CLOCK_MONOTONIC; -1 before it. bytes: of
 * the whole fragments in the file.
 */
struct RecorderCounts {
  int64_t pictures = 0, lost = 0, bytes = 0, first_us = -1, duration_us = 0;
};

/**
 * type: `opened`, when the header is in the file; then `closed`, when everything is on the disk, or `failed`, with a
 * fault and what could be kept.
 */
struct RecorderEvent {
  std::string type;
  Fault fault;
  RecorderCounts counts;
};

class Recorder {
 public:
  /** tell: called by the muxing thread. */
  Recorder(RecorderOptions options, std::function<void(const RecorderEvent&)> tell);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /** Ends at once: what waits is not written. Takes as long as what is being written. Not by the muxing thread. */
  void end();
  /** Any thread, as all that follows. */
  void take(const uint8_t* bytes, size_t length, int64_t captured_us);
  void take_gray(const uint8_t* pixels, int width, int height, int stride, int64_t captured_us);
  bool takes_gray() const { return !options_.library.empty(); }
  /** Writes what there is, for the camera is gone. */
  void cut();
  /** No more pictures come; what waits is written and the file ended. `closed` or `failed` follows, once. */
  void stop();
  RecorderCounts counts() const;

 private:
  /** width: 0 for a JPEG. */
  struct Waiting {
    std::unique_ptr<AVPacket, void (*)(AVPacket*)> packet;
    int64_t captured_us;
    int width = 0, height = 0;
  };
  struct Encoding;
  enum class Turn { picture, cut, end, set_back, abandoned };
  void run();
  void record(RecordingFile& file);
  Turn next(std::optional<Waiting>& picture);
  template <typename Fill>
  void queue(size_t length, Waiting picture, Fill fill);
  void mux(PictureMuxer& muxer, Encoding* encoding, Waiting& picture);
  void count(int64_t first_us);
  void tell(const char* type, const Fault& fault, int64_t bytes);

  const RecorderOptions options_;
  const std::function<void(const RecorderEvent&)> tell_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  size_t queued_bytes_ = 0;
  bool wants_cut_ = false, is_stopping_ = false, is_abandoned_ = false;
  bool takes_ = true;            // until it is stopped or has failed
  int64_t last_us_ = INT64_MIN;  // of the last picture that was taken out of the queue
  // when the next picture begins another fragment, CLOCK_MONOTONIC; -1: there is nothing to be cut
  int64_t due_us_ = -1;
  RecorderCounts counts_;
  std::thread thread_;
};

}  // namespace vedette
