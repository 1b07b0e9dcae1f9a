// Reads a video for the engine's other addon, which finds this by its name and speaks plain C with it.
#include "video_reader.h"

#include <sys/resource.h>

#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "video_decoder.h"
#include "video_demuxer.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
}

namespace vedette {

namespace {

// of one piece of memory that FFmpeg takes, whatever length a camera says, or never ends: a plane of the largest
// picture, of ten bits, has 128 MB
constexpr size_t MAX_PIECE_BYTES = 160u << 20;
constexpr int64_t STEP_BACK_US = 1'000'000;  // a time so much before the last one is that of another clock

void tell(VedetteVideoFault& to, const std::string& code, const std::string& detail) {
  std::strncpy(to.code, code.c_str(), sizeof to.code - 1);
  std::strncpy(to.detail, detail.c_str(), sizeof to.detail - 1);
}

/**
 * How often this thread has slept until now. A clock would not do: a thread that the machine keeps from working has
 * waited for nothing.
 */
long sleeps() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

class VideoReader {
 public:
  explicit VideoReader(const VedetteVideoInput& input) : input_(input), demuxer_(input_) {
    if (demuxer_.codec().codec_id != AV_CODEC_ID_MJPEG) decoder_.emplace(demuxer_.codec(), input_);
  }

  const char* codec() const {
    return decoder_ ? (demuxer_.codec().codec_id == AV_CODEC_ID_H264 ? "h264" : "h265") : "mjpeg";
  }
  double fps() const { return demuxer_.fps(); }
  int orientation() const { return demuxer_.orientation(); }

  VedetteVideoStep next(VedetteVideoPicture& picture) {
    for (;;) {
      if (input_.stops(input_.self)) throw Fault{"camera.lost", std::string(input_.name) + " is not read any further"};
      int64_t time = AV_NOPTS_VALUE;
      if (decoder_ && decoder_->take(picture, time)) return counted(picture, time);
      if (is_over_) return VedetteVideoStep::ended;
      const long before = sleeps();
      packet_ = demuxer_.next();
      was_waited_for_ = was_waited_for_ || sleeps() != before;
      if (!packet_) {
        is_over_ = true;
        if (decoder_) decoder_->give(nullptr);
        continue;
      }
      if (is_skipped(*packet_)) {
        missed_++;
        continue;
      }
      if (packet_->flags & AV_PKT_FLAG_CORRUPT)
        throw Fault{"picture.corrupt", std::string("a picture of ") + input_.name + " is cut short"};
      if (decoder_) {
        decoder_->give(packet_.get());
        continue;
      }
      picture.jpeg = packet_->data;
      picture.jpeg_bytes = static_cast<size_t>(packet_->size);
      return counted(picture, packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts);
    }
  }

  void skip_to(int64_t pts_us) { skip_to_us_ = pts_us; }

 private:
  VedetteVideoStep counted(VedetteVideoPicture& picture, int64_t time) {
    picture.pts_us = demuxer_.us_of(time);
    picture.missed = std::exchange(missed_, 0);
    picture.was_waited_for = std::exchange(was_waited_for_, false);
    return VedetteVideoStep::picture;
  }

  /** Nothing can be decoded before the first key picture, nor what follows a gap before the next. */
  bool is_skipped(const AVPacket& packet) {
    const int64_t us = demuxer_.us_of(packet.dts != AV_NOPTS_VALUE ? packet.dts : packet.pts);
    const bool is_key = packet.flags & AV_PKT_FLAG_KEY || !decoder_;
    const bool is_timed = us != VEDETTE_NO_PTS && last_us_ != VEDETTE_NO_PTS;
    const bool is_early = skip_to_us_ != VEDETTE_NO_PTS && is_timed && us < skip_to_us_ && us > last_us_ - STEP_BACK_US;
    last_us_ = us;
    if (skip_to_us_ != VEDETTE_NO_PTS && (is_early || !is_key)) return true;
    if (skip_to_us_ != VEDETTE_NO_PTS && decoder_) decoder_->skip();
    skip_to_us_ = VEDETTE_NO_PTS;
    has_key_ = has_key_ || is_key;
    return !has_key_;
  }

  const VedetteVideoInput input_;
  VideoDemuxer demuxer_;
  std::optional<VideoDecoder> decoder_;  // none for JPEGs, which are handed on as they are
  Packet packet_{nullptr, [](AVPacket* packet) { av_packet_free(&packet); }};
  bool is_over_ = false, has_key_ = false, was_waited_for_ = false;
  int64_t skip_to_us_ = VEDETTE_NO_PTS, last_us_ = 0, missed_ = 0;
};

/** Nothing is thrown into plain C. */
template <typename Body>
VedetteVideoStep guarded(VedetteVideoFault& fault, Body body) {
  try {
    return body();
  } catch (const Fault& found) {
    tell(fault, found.code, found.detail);
    return found.code == "picture.corrupt" ? VedetteVideoStep::corrupt : VedetteVideoStep::failed;
  } catch (const std::exception& error) {
    tell(fault, "camera.unreadable", std::string("the video cannot be read: ") + error.what());
    return VedetteVideoStep::failed;
  }
}

VedetteVideoStep next_of(void* self, VedetteVideoPicture* picture, VedetteVideoFault* fault) {
  *picture = {};
  return guarded(*fault, [&] { return static_cast<VideoReader*>(self)->next(*picture); });
}

}  // namespace

}  // namespace vedette

extern "C" __attribute__((visibility("default"))) bool vedette_open_video(const VedetteVideoInput* input,
                                                                          VedetteVideoReader* reader,
                                                                          VedetteVideoFault* fault) {
  using namespace vedette;
  av_log_set_level(AV_LOG_QUIET);  // addresses with passwords would go to the engine's standard error
  av_max_alloc(MAX_PIECE_BYTES);
  VideoReader* made = nullptr;
  const VedetteVideoStep step = guarded(*fault, [&] {
    if (input->kind != VEDETTE_VIDEO)
      throw Fault{"video.unavailable", "what reads videos was built for another engine; run native/setup.sh"};
    made = new VideoReader(*input);
    return VedetteVideoStep::picture;
  });
  if (step != VedetteVideoStep::picture) return false;
  const auto skip_to = [](void* self, int64_t pts_us) { static_cast<VideoReader*>(self)->skip_to(pts_us); };
  const auto close = [](void* self) { delete static_cast<VideoReader*>(self); };
  *reader = {made, made->codec(), made->fps(), made->orientation(), next_of, skip_to, close};
  return true;
}
