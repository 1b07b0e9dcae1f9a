#include "video_demuxer.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "display_matrix.h"
#include "mp4_index.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/mem.h>
}

namespace vedette {

namespace {

constexpr int BUFFER_BYTES = 32 * 1024;
constexpr int MAX_OTHER_PACKETS = 5'000;  // of sound and subtitles, before the first picture
constexpr size_t MEASURED_PACKETS = 9;
// none that names other files, or lets what is in it choose
constexpr const char* FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,avi,flv,h264,hevc";

// as of every other source; what a file says beyond is a mistake, or meant to be one
constexpr double MIN_FPS = 0.1, MAX_FPS = 240;
constexpr int64_t MAX_US = int64_t{1} << 53;  // 285 years: arithmetic with times cannot overflow

constexpr AVRational MICROSECONDS{1, 1'000'000};

Packet no_packet() {
  return {nullptr, [](AVPacket* packet) { av_packet_free(&packet); }};
}

int open_nothing(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) { return AVERROR(EACCES); }

int read_bytes(void* opaque, uint8_t* to, int most) {
  const auto& input = *static_cast<const VedetteVideoInput*>(opaque);
  if (input.stops(input.self)) return AVERROR_EXIT;
  const int got = input.read(input.self, to, most);
  if (got == 0) return AVERROR_EOF;
  return got > 0 ? got : AVERROR(EIO);
}

int64_t seek_bytes(void* opaque, int64_t to, int whence) {
  const auto& input = *static_cast<const VedetteVideoInput*>(opaque);
  if (whence == AVSEEK_SIZE) return input.seek(input.self, -1);
  return whence == SEEK_SET && to >= 0 ? input.seek(input.self, to) : AVERROR(EINVAL);
}

bool is_read_here(AVCodecID codec) {
  return codec == AV_CODEC_ID_MJPEG || codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
}

}  // namespace

VideoDemuxer::VideoDemuxer(const VedetteVideoInput& input) : input_(input) {
  try {
    format_ = avformat_alloc_context();
    if (!format_) throw Fault{"camera.unreadable", "there is no memory for a video"};
    format_->interrupt_callback = {&VideoDemuxer::is_interrupted, this};
    format_->io_open = open_nothing;
    if (input.address) open_address();
    else open_bytes();
    Packet first = read();
    const std::string name = input_.name;
    if (!first)
      throw Fault{"camera.unreadable", name + (other_codec_.empty() ? " holds no pictures"
                                                                    : " is a video of " + other_codec_ +
                                                                          "; H.264, H.265 and MJPEG are read")};
    const AVCodecParameters& codec = *stream_->codecpar;
    if (static_cast<int64_t>(codec.width) * codec.height > input.max_pixels)
      throw Fault{"camera.unreadable", name + " says that it has " + std::to_string(codec.width) + "x" +
                                           std::to_string(codec.height) + " pixels, more than the " +
                                           std::to_string(input.max_pixels / 1'000'000) + " megapixels allowed"};
    waiting_.push_back(std::move(first));
    const AVRational& told = stream_->avg_frame_rate;
    fps_ = told.num > 0 && told.den > 0 ? av_q2d(told) : input.is_live ? 0 : measured_fps();
    if (fps_ > 0) fps_ = std::clamp(fps_, MIN_FPS, MAX_FPS);
  } catch (...) {
    close();
    throw;
  }
}

VideoDemuxer::~VideoDemuxer() { close(); }

void VideoDemuxer::close() {
  waiting_.clear();
  avformat_close_input(&format_);
  if (bytes_) av_freep(&bytes_->buffer);
  avio_context_free(&bytes_);
}

void VideoDemuxer::open_bytes() {
  auto* buffer = static_cast<uint8_t*>(av_malloc(BUFFER_BYTES));
  bytes_ = avio_alloc_context(buffer, BUFFER_BYTES, 0, const_cast<VedetteVideoInput*>(&input_), read_bytes, nullptr,
                              input_.seek ? seek_bytes : nullptr);
  if (!bytes_) throw Fault{"camera.unreadable", "there is no memory for a video"};
  format_->pb = bytes_;
  format_->format_whitelist = av_strdup(FORMATS);
  format_->protocol_whitelist = av_strdup("none");
  if (input_.is_live) format_->flags |= AVFMT_FLAG_NOBUFFER;
  const int result = avformat_open_input(&format_, "", nullptr, nullptr);
  if (result < 0) fail(result, true);
}

/** Over TCP: one connection, so that the interruption reaches all of it and a firewall lets it through. */
void VideoDemuxer::open_address() {
  format_->protocol_whitelist = av_strdup("tcp,tls");
  AVDictionary* options = nullptr;
  av_dict_set(&options, "rtsp_transport", "tcp", 0);
  av_dict_set(&options, "allowed_media_types", "video", 0);
  const int result = avformat_open_input(&format_, input_.address, av_find_input_format("rtsp"), &options);
  const bool all_known = av_dict_count(options) == 0;
  av_dict_free(&options);
  if (result < 0) fail(result, true);
  if (!all_known) throw Fault{"camera.unreadable", "these libraries of FFmpeg read RTSP otherwise than expected"};
}

/**
 * Asked before the first answer is read: from then on no second connection can be opened, wherever the answer leads.
 */
int VideoDemuxer::is_interrupted(void* self) {
  auto& demuxer = *static_cast<VideoDemuxer*>(self);
  if (demuxer.input_.address && demuxer.format_ && !demuxer.is_connected_) {
    demuxer.is_connected_ = true;
    av_freep(&demuxer.format_->protocol_whitelist);
    demuxer.format_->protocol_whitelist = av_strdup("none");
  }
  return demuxer.input_.stops(demuxer.input_.self) ? 1 : 0;
}

Packet VideoDemuxer::next() {
  if (waiting_.empty()) return read();
  Packet packet = std::move(waiting_.front());
  waiting_.pop_front();
  return packet;
}

Packet VideoDemuxer::read() {
  for (int others = 0; others < MAX_OTHER_PACKETS || stream_;) {
    Packet packet = no_packet();
    packet.reset(av_packet_alloc());
    if (!packet) throw Fault{"camera.unreadable", "there is no memory for a video"};
    const int result = av_read_frame(format_, packet.get());
    if (input_.stops(input_.self)) fail(AVERROR_EXIT, false);
    if (result == AVERROR(EAGAIN)) continue;
    if (result == AVERROR_EOF) return no_packet();
    if (result < 0) fail(result, false);
    AVStream* stream = format_->streams[packet->stream_index];
    if (!stream_ && is_pictures(stream)) stream_ = stream;
    if (stream == stream_) return packet;
    stream->discard = AVDISCARD_ALL;
    others++;
  }
  return no_packet();
}

/** A cover of a song is no video. */
bool VideoDemuxer::is_pictures(AVStream* stream) {
  const AVCodecParameters& codec = *stream->codecpar;
  if (codec.codec_type != AVMEDIA_TYPE_VIDEO || stream->disposition & AV_DISPOSITION_ATTACHED_PIC) return false;
  if (is_read_here(codec.codec_id)) return true;
  other_codec_ = avcodec_get_name(codec.codec_id);
  return false;
}

int64_t VideoDemuxer::us_of(int64_t time) const {
  if (time == AV_NOPTS_VALUE) return VEDETTE_NO_PTS;
  const int64_t us = av_rescale_q(time, stream_->time_base, MICROSECONDS);
  return us > -MAX_US && us < MAX_US ? us : VEDETTE_NO_PTS;
}

int VideoDemuxer::orientation() const {
  if (input_.is_live) return 1;
  const uint8_t* matrix = av_stream_get_side_data(stream_, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  return matrix ? orientation_of(reinterpret_cast<const int32_t*>(matrix)) : 1;
}

/** From the first packets, where the container does not say; one in fragments does not. */
double VideoDemuxer::measured_fps() {
  while (waiting_.size() < MEASURED_PACKETS) {
    Packet packet = read();
    if (!packet) break;
    waiting_.push_back(std::move(packet));
  }
  const int64_t first_us = us_of(waiting_.front()->dts), last_us = us_of(waiting_.back()->dts);
  if (first_us == VEDETTE_NO_PTS || last_us == VEDETTE_NO_PTS || last_us <= first_us) return 0;
  return std::round(static_cast<double>(waiting_.size() - 1) * 1e9 / static_cast<double>(last_us - first_us)) / 1e3;
}

void VideoDemuxer::fail(int result, bool is_opening) const {
  const std::string name = input_.name;
  switch (result) {
    case AVERROR_HTTP_UNAUTHORIZED:
    case AVERROR_HTTP_FORBIDDEN:
      throw Fault{"camera.unreadable", name + " refuses us (" + av_text(result) + "); check username and password"};
    case AVERROR_HTTP_NOT_FOUND:
    case AVERROR_HTTP_BAD_REQUEST:
    case AVERROR_HTTP_OTHER_4XX:
    case AVERROR_HTTP_SERVER_ERROR:
      throw Fault{"camera.unreadable", name + " has no video there (" + av_text(result) + "); check the address"};
    default:
      break;
  }
  if (is_opening && lacks_index(input_))
    throw Fault{"camera.unreadable", name + " has no index (moov), without which no picture in it can be found: it " +
                                         "was not recorded to its end, or only a part of it was copied; copy it " +
                                         "again, or record it anew"};
  if (!is_opening) throw Fault{"camera.lost", name + " cannot be read any further: " + av_text(result)};
  if (!input_.address)
    throw Fault{"camera.unreadable", name + " is no video that can be read (" + av_text(result) +
                                         "); MP4, QuickTime, Matroska, AVI and MPEG-TS are"};
  if (is_connected_ && result == AVERROR(EINVAL))
    throw Fault{"camera.unreadable", name +
                                         " gives no answer that can be followed, or sends us on to another address; "
                                         "give the address of the video itself"};
  throw Fault{"camera.missing", name + " does not answer (" + av_text(result) + "); check the address and the cable"};
}

}  // namespace vedette
