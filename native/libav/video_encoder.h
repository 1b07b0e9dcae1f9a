// H.264 by one of FFmpeg's encoders, set so that each picture comes out at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fault.h"
#include "yuv_picture.h"

struct AVCodecContext;
struct AVFrame;
struct AVPacket;

namespace vedette {

/**
 * library: the name of the encoder. width, height: of the pictures, in pixels. fps: about so many come.
 * max_bits_per_s: in moving scenes; others take less.
 */
struct VideoFormat {
  std::string library;
  int width = 0, height = 0;
  double fps = 30;
  int64_t max_bits_per_s = 0;
};

class VideoEncoder {
 public:
  /**
   * Opens the encoder and has it encode a picture: nothing else tells whether it works. Throws Fault
   * `codec.unavailable`.
   */
  explicit VideoEncoder(const VideoFormat& format);
  ~VideoEncoder();
  VideoEncoder(const VideoEncoder&) = delete;
  VideoEncoder& operator=(const VideoEncoder&) = delete;

  /** What a decoder has to know first (Annex B). Packets need not have it. */
  const std::vector<uint8_t>& parameter_sets() const { return parameter_sets_; }
  int width() const;
  int height() const;

  /**
   * Takes a picture of its size; `out` is called with each packet that there is then (Annex B), as a rule one, whose
   * pts is that of its picture. pts_us: 0 or more, later than the one before. wants_key: whether a decoder shall be
   * able to begin with it; that is so with the first, and once a second, anyway. Throws Fault.
   */
  void encode(AVFrame* picture, int64_t pts_us, bool wants_key, const std::function<void(AVPacket&)>& out);
  /** No more pictures come: what hardware still holds. */
  void finish(const std::function<void(AVPacket&)>& out);

 private:
  void try_out();
  void drain(const std::function<void(AVPacket&)>& out);

  const std::string library_;
  AVCodecContext* context_ = nullptr;
  AVPacket* packet_ = nullptr;
  std::vector<uint8_t> parameter_sets_;
  bool is_first_ = true;
};

}  // namespace vedette
