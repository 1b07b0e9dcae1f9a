// A video that is being read: its pictures as frames.
#pragma once

#include <optional>
#include <string>

#include "source.h"
#include "upright.h"
#include "video_reader.h"

namespace vedette {

/** What a step of a video came to. */
enum class VideoStep { picture, corrupt, ended };

class Video {
 public:
  /** input: stays valid as long as this. Throws Fault: `video.unavailable`, or what the reader says. */
  Video(const std::string& library, const VedetteVideoInput& input);
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  /** What the next call of next() gives again: a picture that was read to learn of what the video is. */
  void put_back(Frame&& frame, int64_t pts_us);

  /**
   * Upright, as the container says. Fills everything of `frame` but its number and its time; its chroma only
   * in_colour, where it comes decoded. pts_us: that of the video, or VEDETTE_NO_PTS. Throws Fault.
   */
  VideoStep next(Frame& frame, int64_t& pts_us, Fault& fault, bool in_colour);

  /** Whether the last picture did not lie ready when it was asked for. */
  bool was_waited_for() const { return was_waited_for_; }

  /** Earlier pictures are not wanted any more: goes on with the first that can be decoded without them. */
  void skip_to(int64_t pts_us) { reader_.skip_to(reader_.self, pts_us); }

  /** As a SourceFormat says it: jpeg, h264 or h265. */
  std::string pixel_format() const;
  /** 0: the video does not say. */
  double fps() const { return reader_.fps; }

 private:
  VideoStep set_upright(Frame& frame, Fault& fault);

  struct PutBack {
    Frame frame;
    int64_t pts_us;
  };
  VedetteVideoReader reader_;
  Turner turner_;
  std::optional<PutBack> put_back_;
  bool was_waited_for_ = true;
  int64_t missed_ = 0;  // since the last picture: skipped or corrupt
};

}  // namespace vedette
