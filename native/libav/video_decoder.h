// Pictures out of packets of H.264 and H.265: their brightness, and the colour beside it.
#pragma once

#include "fault.h"
#include "video_demuxer.h"

struct AVCodecContext;
struct AVFrame;

namespace vedette {

class VideoDecoder {
 public:
  /** Throws Fault `camera.unreadable` when these libraries have no such decoder. */
  VideoDecoder(const AVCodecParameters& codec, const VedetteVideoInput& input);
  ~VideoDecoder();
  VideoDecoder(const VideoDecoder&) = delete;
  VideoDecoder& operator=(const VideoDecoder&) = delete;

  /**
   * Gives it a packet; none: there are no more, what it holds is to come out. take() until there is nothing is to be
   * called in between. Throws Fault `picture.corrupt`.
   */
  void give(const AVPacket* packet);
  /**
   * The next picture, valid until the next call, its time in that of the track; false: it wants another packet. Throws
   * Fault `picture.corrupt`.
   */
  bool take(VedetteVideoPicture& picture, int64_t& time);
  /** Forgets what it holds: a packet of later times comes next, which can be decoded by itself. */
  void skip();

 private:
  void check(int result) const;

  const VedetteVideoInput& input_;
  AVCodecContext* context_ = nullptr;
  AVFrame* frame_ = nullptr;
};

}  // namespace vedette
