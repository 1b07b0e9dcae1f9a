#include "picture_muxer.h"

#include <algorithm>

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
}

namespace vedette {

namespace {

constexpr AVRational MICROSECONDS{1, 1'000'000};

[[noreturn]] void fail(const std::string& detail) { throw Fault{"recording.failed", detail}; }

/** The muxer brings them into the form that they have in MP4. */
void set_parameters(AVCodecParameters& to, const std::vector<uint8_t>& sets) {
  if (sets.empty()) return;
  to.extradata = static_cast<uint8_t*>(av_mallocz(sets.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (!to.extradata) fail("there is no memory to begin it");
  std::copy(sets.begin(), sets.end(), to.extradata);
  to.extradata_size = static_cast<int>(sets.size());
}

}  // namespace

PictureMuxer::PictureMuxer(RecordingFile& file, const MuxedPictures& pictures)
    : file_(file), format_(nullptr, avformat_free_context) {
  AVFormatContext* format = nullptr;
  check(avformat_alloc_output_context2(&format, nullptr, "mp4", nullptr), "be begun");
  format_.reset(format);
  format_->pb = file.io();
  format_->flags |= AVFMT_FLAG_CUSTOM_IO;
  AVStream* stream = avformat_new_stream(format, nullptr);
  if (!stream) fail("there is no memory to begin it");
  stream->time_base = MICROSECONDS;
  stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
  stream->codecpar->codec_id = pictures.parameter_sets.empty() ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_H264;
  stream->codecpar->width = pictures.width;
  stream->codecpar->height = pictures.height;
  set_parameters(*stream->codecpar, pictures.parameter_sets);
  AVDictionary* options = nullptr;
  // empty_moov: the header is whole before the first picture. frag_custom: fragments end where cut() says, not with the
  // next picture, which may never come.
  av_dict_set(&options, "movflags", "empty_moov+default_base_moof+frag_custom", 0);
  const int result = avformat_write_header(format, &options);
  const bool all_known = av_dict_count(options) == 0;
  av_dict_free(&options);
  check(result, "be begun");
  if (!all_known || av_cmp_q(stream->time_base, MICROSECONDS) != 0)
    fail("these libraries of FFmpeg write MP4 files otherwise than expected");
  file_.finish_fragment();
}

PictureMuxer::~PictureMuxer() { av_packet_free(&newest_); }

/** A failure of the file says more than FFmpeg's number for it. */
void PictureMuxer::check(int result, const char* doing) {
  if (result >= 0) return;
  if (format_ && format_->pb && format_->pb->error < 0) file_.finish_fragment();
  fail(std::string("the recording cannot ") + doing + ": " + av_text(result));
}

void PictureMuxer::add(AVPacket* packet, int64_t pts_us, bool cuts) {
  const int64_t pts = std::max(pts_us, last_pts_us_ + 1);
  write_newest(pts - last_pts_us_);
  if (cuts) finish_fragment();
  last_pts_us_ = pts;
  newest_ = av_packet_clone(packet);
  if (!newest_) fail("there is no memory for another picture");
  newest_->stream_index = 0;
  newest_->pts = newest_->dts = pts;
}

/**
 * A picture whose end is not known lasts a microsecond (for none at all FFmpeg guesses): it is shown until the next one
 * all the same.
 */
void PictureMuxer::cut() {
  const bool lasts = !newest_;
  write_newest(1);
  finish_fragment();
  // Else the next fragment would begin where the last picture of this one ends.
  if (!lasts) check(av_opt_set(format_->priv_data, "movflags", "+frag_discont", 0), "be continued");
}

void PictureMuxer::write_newest(int64_t duration_us) {
  if (!newest_) return;
  newest_->duration = duration_us;
  pictures_in_fragment_++;
  const int result = av_write_frame(format_.get(), newest_);
  av_packet_free(&newest_);
  check(result, "take a picture");
}

void PictureMuxer::finish_fragment() {
  if (pictures_in_fragment_ == 0) return;
  pictures_in_fragment_ = 0;
  check(av_write_frame(format_.get(), nullptr), "write a fragment");
  file_.finish_fragment();
}

void PictureMuxer::finish() {
  cut();
  check(av_write_trailer(format_.get()), "be ended");
  file_.finish_fragment();
}

}  // namespace vedette
