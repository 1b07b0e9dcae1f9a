#include "video_encoder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "annex_b.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>
}

namespace vedette {

namespace {

constexpr AVRational MICROSECONDS{1, 1'000'000};
constexpr int MAX_TRIALS = 60;  // pictures; some hardware gives nothing before it has a handful

/**
 * ultrafast: half the processor of the next one, for a quarter more bytes. zerolatency: nothing waits for what comes.
 */
constexpr std::pair<const char*, const char*> OF_X264[] = {
    {"preset", "ultrafast"}, {"tune", "zerolatency"}, {"crf", "23"}, {"forced-idr", "1"}};
constexpr std::pair<const char*, const char*> OF_NVENC[] = {
    {"preset", "p1"}, {"tune", "ull"}, {"zerolatency", "1"}, {"delay", "0"}, {"forced-idr", "1"}};

template <size_t count>
void set(AVDictionary** options, const std::pair<const char*, const char*> (&values)[count]) {
  for (const auto& [name, value] : values) av_dict_set(options, name, value, 0);
}

/** Some encoders do not tell. */
bool takes(const AVCodec* codec, AVPixelFormat format) {
  if (!codec->pix_fmts) return true;
  for (const AVPixelFormat* each = codec->pix_fmts; each && *each != AV_PIX_FMT_NONE; each++)
    if (*each == format) return true;
  return false;
}

}  // namespace

VideoEncoder::VideoEncoder(const VideoFormat& format) : library_(format.library), packet_(av_packet_alloc()) {
  const auto fail = [this](const std::string& why) -> Fault {
    avcodec_free_context(&context_);
    av_packet_free(&packet_);
    return {"codec.unavailable", "pictures cannot be encoded as H.264 by " + library_ + ": " + why};
  };
  const AVCodec* codec = avcodec_find_encoder_by_name(library_.c_str());
  if (!codec) throw fail("FFmpeg's libraries here have no such encoder");
  if (!takes(codec, AV_PIX_FMT_YUV420P)) throw fail("it takes other pixels than a camera's");
  context_ = avcodec_alloc_context3(codec);
  context_->width = format.width & ~1;
  context_->height = format.height & ~1;
  context_->pix_fmt = AV_PIX_FMT_YUV420P;
  context_->color_range = AVCOL_RANGE_MPEG;
  context_->time_base = MICROSECONDS;
  const int fps = std::max(1, static_cast<int>(std::lround(format.fps)));
  context_->framerate = {fps, 1};
  context_->gop_size = fps;  // who comes in between waits for a second at most
  context_->max_b_frames = 0;
  context_->thread_count = 1;  // the other processors are for the vision
  context_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  context_->rc_max_rate = format.max_bits_per_s;
  context_->rc_buffer_size = static_cast<int>(format.max_bits_per_s / 2);
  AVDictionary* options = nullptr;
  if (library_ == "libx264") {
    set(&options, OF_X264);
  } else {
    context_->bit_rate = format.max_bits_per_s / 2;
    if (library_ == "h264_nvenc") set(&options, OF_NVENC);
  }
  const int result = avcodec_open2(context_, codec, &options);
  av_dict_free(&options);
  if (result < 0) throw fail(av_text(result));
  try {
    try_out();
  } catch (const Fault& fault) {
    throw fail(fault.detail);
  }
}

VideoEncoder::~VideoEncoder() {
  avcodec_free_context(&context_);
  av_packet_free(&packet_);
}

int VideoEncoder::width() const { return context_->width; }
int VideoEncoder::height() const { return context_->height; }

/** Its pictures have times below 0, by which their packets are known. */
void VideoEncoder::try_out() {
  if (context_->extradata_size > 0)
    parameter_sets_ = parameter_sets_of(context_->extradata, static_cast<size_t>(context_->extradata_size));
  YuvPicture picture;
  bool came = false;
  for (int n = 0; n < MAX_TRIALS && !came; n++) {
    AVFrame* plain = picture.plain(context_->width, context_->height);
    plain->pts = n - MAX_TRIALS;
    if (const int result = avcodec_send_frame(context_, plain); result < 0)
      throw Fault{"codec.unavailable", av_text(result)};
    drain([&](AVPacket& packet) {
      came = true;
      if (parameter_sets_.empty()) parameter_sets_ = parameter_sets_of(packet.data, static_cast<size_t>(packet.size));
    });
  }
  if (!came || parameter_sets_.empty()) throw Fault{"codec.unavailable", "it gives nothing that could be decoded"};
}

void VideoEncoder::encode(AVFrame* picture, int64_t pts_us, bool wants_key, const std::function<void(AVPacket&)>& out) {
  picture->pts = pts_us;
  picture->pict_type = wants_key || std::exchange(is_first_, false) ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  if (const int result = avcodec_send_frame(context_, picture); result < 0)
    throw Fault{"codec.unavailable", library_ + " takes no more pictures: " + av_text(result)};
  drain([&](AVPacket& packet) {
    if (packet.pts >= 0) out(packet);  // not one of the trial
  });
}

void VideoEncoder::finish(const std::function<void(AVPacket&)>& out) {
  if (avcodec_send_frame(context_, nullptr) == 0) drain(out);
}

void VideoEncoder::drain(const std::function<void(AVPacket&)>& out) {
  while (avcodec_receive_packet(context_, packet_) == 0) {
    out(*packet_);
    av_packet_unref(packet_);
  }
}

}  // namespace vedette
