// Pictures into a fragmented MP4: JPEGs as they are, or H.264. What a fragment holds goes to the file when it is cut:
// what was not cut yet is what a crash loses.
#pragma once

#include <memory>
#include <vector>

#include "recording_file.h"

struct AVFormatContext;
struct AVPacket;

namespace vedette {

/**
 * What the pictures of a file are. width, height: in pixels. parameter_sets: of H.264 (Annex B); none: they are JPEGs.
 */
struct MuxedPictures {
  int width = 0, height = 0;
  std::vector<uint8_t> parameter_sets;
};

class PictureMuxer {
 public:
  /** Writes the header. Throws Fault. */
  PictureMuxer(RecordingFile& file, const MuxedPictures& pictures);
  ~PictureMuxer();
  PictureMuxer(const PictureMuxer&) = delete;
  PictureMuxer& operator=(const PictureMuxer&) = delete;

  /**
   * Takes the packet over. pts_us: since the first picture; later than that of the one before, else it is moved behind
   * it. It is kept until the next one tells how long it lasts. Its flags say whether a decoder can begin with it. cuts:
   * whether the fragment ends before it. Throws Fault.
   */
  void add(AVPacket* packet, int64_t pts_us, bool cuts);
  /**
   * Ends the fragment with what there is, for nobody knows when the next picture comes; nothing happens when it is
   * empty. Throws Fault.
   */
  void cut();
  /** Ends the file. Throws Fault. */
  void finish();

  bool is_empty() const { return !newest_ && pictures_in_fragment_ == 0; }
  int64_t last_pts_us() const { return last_pts_us_; }

 private:
  void check(int result, const char* doing);
  void write_newest(int64_t duration_us);
  void finish_fragment();

  RecordingFile& file_;
  std::unique_ptr<AVFormatContext, void (*)(AVFormatContext*)> format_;
  AVPacket* newest_ = nullptr;
  int64_t last_pts_us_ = -1, pictures_in_fragment_ = 0;
};

}  // namespace vedette
