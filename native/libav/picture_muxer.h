// JPEGs into a fragmented MP4, as they are. What a fragment holds goes to the file when it is cut: what was not cut yet is what a crash loses.
#pragma once

#include "recording_file.h"

struct AVFormatContext;
struct AVPacket;

namespace vedette {

class PictureMuxer {
 public:
  /** Writes the header. width, height: of the pictures, in pixels. Throws Fault. */
  PictureMuxer(RecordingFile& file, int width, int height);
  ~PictureMuxer();
  PictureMuxer(const PictureMuxer&) = delete;
  PictureMuxer& operator=(const PictureMuxer&) = delete;

  /**
   * Takes the packet over. pts_us: since the first picture; later than that of the one before, else it is moved behind it. It is kept until the next one tells how
   * long it lasts. cuts: whether the fragment ends before it. Throws Fault.
   */
  void add(AVPacket* packet, int64_t pts_us, bool cuts);
  /** Ends the fragment with what there is, for nobody knows when the next picture comes; nothing happens when it is empty. Throws Fault. */
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
  AVFormatContext* format_ = nullptr;
  AVPacket* newest_ = nullptr;
  int64_t last_pts_us_ = -1, pictures_in_fragment_ = 0;
};

}  // namespace vedette
