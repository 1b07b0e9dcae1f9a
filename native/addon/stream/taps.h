// Where pictures go besides the pipeline and its viewers: to a recording, and to live video.
#pragma once

#include "recording_tap.h"
#include "video_tap.h"

namespace vedette {

struct Taps {
  RecordingTap recording;
  VideoTap video;

  void captured(const std::shared_ptr<const Frame>& frame) {
    recording.captured(frame);
    video.captured(frame);
  }
  void processed(const std::shared_ptr<const Frame>& frame) {
    recording.processed(frame);
    video.processed(*frame);
  }
  void result(const std::vector<double>& packed) { recording.result(packed); }
  void no_result(const Frame* frame) { recording.no_result(frame); }
};

}  // namespace vedette
