// A stream's pictures as H.264 for those who watch: the newest one is encoded by a thread of its own, and what is made
// of it handed on at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fault.h"

struct AVPacket;

namespace vedette {

class VideoEncoder;
class YuvPicture;

/** library: the name of the encoder. fps: about so many pictures come. max_bits_per_s: of what is made of them. */
struct LiveVideoOptions {
  std::string library;
  double fps = 30;
  int64_t max_bits_per_s = 0;
};

/**
 * bytes: one picture (ITU-T H.264, Annex B). is_key: a decoder can begin with it; the parameter sets lie in front.
 * captured_us: CLOCK_MONOTONIC.
 */
struct LivePacket {
  std::vector<uint8_t> bytes;
  int64_t captured_us = 0;
  bool is_key = false;
};

class LiveVideo {
 public:
  /**
   * deliver: takes a packet at once, or answers that there is no room; then nothing more is handed on before the next
   * key, which is made at once. fail: called once, when nothing can be encoded; nothing follows. Both by a thread of
   * this.
   */
  LiveVideo(LiveVideoOptions options, std::function<bool(LivePacket)> deliver, std::function<void(const Fault&)> fail);
  ~LiveVideo();
  LiveVideo(const LiveVideo&) = delete;
  LiveVideo& operator=(const LiveVideo&) = delete;

  /**
   * Ends the thread; takes as long as the picture in work. Not by that thread. What comes afterwards is not looked at.
   */
  void end();
  /** Any thread, as all that follows: a picture, in place of one that nobody has begun with. */
  void take(const uint8_t* bytes, size_t length, int64_t captured_us);
  void take_gray(const uint8_t* pixels, int width, int height, int stride, int64_t captured_us);
  /** The next picture is one with which a decoder can begin. */
  void want_key() { wants_key_ = true; }
  /** Pictures a second that are encoded at most; 0: each one. One that is to be a key is encoded all the same. */
  void limit(double max_fps) { min_apart_us_ = max_fps > 0 ? static_cast<int64_t>(1e6 / max_fps) : 0; }

 private:
  /** width: 0 for a JPEG. */
  struct Picture {
    std::vector<uint8_t> bytes;
    int width = 0, height = 0;
    int64_t captured_us = 0;
  };
  bool is_passed_over(int64_t captured_us);
  Picture empty_picture(int64_t captured_us);
  void offer(Picture picture);
  void run();
  void encode(const Picture& picture);
  void begin(int width, int height, int64_t captured_us);
  void hand_on(const AVPacket& packet);

  const LiveVideoOptions options_;
  const std::function<bool(LivePacket)> deliver_;
  const std::function<void(const Fault&)> fail_;
  std::atomic<bool> wants_key_{false};
  std::atomic<int64_t> min_apart_us_{0}, taken_us_{0};  // of the pictures that are encoded; of the last one

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Picture> newest_;
  std::vector<uint8_t> spare_;  // a buffer to be filled again
  bool is_ending_ = false;

  // Those of the thread.
  std::unique_ptr<YuvPicture> yuv_;
  std::unique_ptr<VideoEncoder> encoder_;  // for pictures of the present size
  int others_ = 0;                         // pictures of another size, one after the other
  int64_t first_us_ = 0, last_pts_us_ = -1;
  bool waits_for_key_ = true;
  std::thread thread_;
};

}  // namespace vedette
