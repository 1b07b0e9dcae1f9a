// A video as packets: the container is opened, and of its tracks the one with the pictures is read.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "fault.h"
#include "video_reader.h"

extern "C" {
#include <libavformat/avformat.h>
}

namespace vedette {

using Packet = std::unique_ptr<AVPacket, void (*)(AVPacket*)>;

/**
 * FFmpeg opens nothing here but the one connection of an address of RTSP: bytes come through the input's functions,
 * playlists and redirects lead nowhere, and containers are those of a list.
 */
class VideoDemuxer {
 public:
  /** Reads up to the first packet of the pictures. input: outlives this. Throws Fault. */
  explicit VideoDemuxer(const VedetteVideoInput& input);
  ~VideoDemuxer();
  VideoDemuxer(const VideoDemuxer&) = delete;
  VideoDemuxer& operator=(const VideoDemuxer&) = delete;

  /** The next packet of the pictures; none after the last. Throws Fault. */
  Packet next();

  const AVCodecParameters& codec() const { return *stream_->codecpar; }
  /** A time of the track in microseconds; VEDETTE_NO_PTS for none, and for one that none can be. */
  int64_t us_of(int64_t time) const;
  /** 0.1 to 240; 0: the video does not say. */
  double fps() const { return fps_; }
  /** Which side is up, 1 to 8; of a live video always 1: its camera stands as it stands. */
  int orientation() const;

 private:
  static int is_interrupted(void* self);
  void open_bytes();
  void open_address();
  void close();
  Packet read();
  bool is_pictures(AVStream* stream);
  double measured_fps();
  [[noreturn]] void fail(int result, bool is_opening) const;

  const VedetteVideoInput& input_;
  AVFormatContext* format_ = nullptr;
  AVIOContext* bytes_ = nullptr;
  AVStream* stream_ = nullptr;
  std::deque<Packet> waiting_;
  std::string other_codec_;  // of pictures that are not read
  double fps_ = 0;
  bool is_connected_ = false;
};

}  // namespace vedette
