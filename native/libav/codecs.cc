// Tells which codecs of FFmpeg's libraries work on this machine: one line of JSON for each that does. A name in the
// libraries says nothing, as they carry encoders for hardware that is not there: each encoder is opened and encodes
// pictures, each decoder is opened. Every trial is a process of its own, so that a driver that crashes or hangs costs
// its own codec.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
}

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

struct Candidate {
  const char* codec;
  const char* library;
  bool is_hardware;
};

// Those that take pictures out of plain memory. vaapi and qsv want their own, which we have no way to fill.
constexpr Candidate ENCODERS[] = {{"h264", "libx264", false},     {"h264", "libopenh264", false},
                                  {"h264", "h264_v4l2m2m", true}, {"h264", "h264_nvenc", true},
                                  {"h265", "libx265", false},     {"h265", "hevc_v4l2m2m", true},
                                  {"h265", "hevc_nvenc", true}};
constexpr Candidate DECODERS[] = {{"h264", "h264", false},
                                  {"h264", "h264_v4l2m2m", true},
                                  {"h265", "hevc", false},
                                  {"h265", "hevc_v4l2m2m", true},
                                  {"mjpeg", "mjpeg", false}};

constexpr int WIDTH = 640, HEIGHT = 480;  // hardware refuses very small pictures
constexpr int MAX_PICTURES = 60;          // some encoders look two seconds ahead before they give anything
constexpr unsigned TRIAL_LIMIT_S = 3;

/** Some encoders do not tell. */
bool takes(const AVCodec* codec, AVPixelFormat format) {
  if (!codec->pix_fmts) return true;
  for (const AVPixelFormat* each = codec->pix_fmts; each && *each != AV_PIX_FMT_NONE; each++)
    if (*each == format) return true;
  return false;
}

bool encodes(const Candidate& candidate) {
  const AVCodec* codec = avcodec_find_encoder_by_name(candidate.library);
  if (!codec) return false;
  AVCodecContext* context = avcodec_alloc_context3(codec);
  context->width = WIDTH;
  context->height = HEIGHT;
  context->time_base = {1, 30};
  context->pix_fmt = takes(codec, AV_PIX_FMT_YUV420P) ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12;
  context->max_b_frames = 0;
  if (avcodec_open2(context, codec, nullptr) < 0) return false;
  AVFrame* picture = av_frame_alloc();
  picture->format = context->pix_fmt;
  picture->width = WIDTH;
  picture->height = HEIGHT;
  if (av_frame_get_buffer(picture, 0) < 0) return false;
  AVPacket* packet = av_packet_alloc();
  for (int n = 0; n < MAX_PICTURES; n++) {
    if (av_frame_make_writable(picture) < 0) return false;
    for (int plane = 0; plane < 3 && picture->data[plane]; plane++)
      std::memset(picture->data[plane], 40 + n,
                  static_cast<size_t>(picture->linesize[plane]) * (plane == 0 ? HEIGHT : HEIGHT / 2));
    picture->pts = n;
    if (avcodec_send_frame(context, picture) < 0) return false;
    if (avcodec_receive_packet(context, packet) == 0) return packet->size > 0;
  }
  return avcodec_send_frame(context, nullptr) == 0 && avcodec_receive_packet(context, packet) == 0 && packet->size > 0;
}

bool decodes(const Candidate& candidate) {
  const AVCodec* codec = avcodec_find_decoder_by_name(candidate.library);
  if (!codec) return false;
  AVCodecContext* context = avcodec_alloc_context3(codec);
  context->width = WIDTH;
  context->height = HEIGHT;
  return avcodec_open2(context, codec, nullptr) == 0;
}

/** Whether it works, found out in a child that may die or be stopped of it. */
bool works(const Candidate& candidate, bool (*trial)(const Candidate&)) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    alarm(TRIAL_LIMIT_S);
    _exit(trial(candidate) ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <size_t count>
void tell(const char* kind, const Candidate (&candidates)[count], bool (*trial)(const Candidate&)) {
  for (const Candidate& each : candidates) {
    if (!works(each, trial)) continue;
    std::printf("{\"kind\":\"%s\",\"codec\":\"%s\",\"library\":\"%s\",\"hardware\":%s}\n", kind, each.codec,
                each.library, each.is_hardware ? "true" : "false");
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  av_log_set_level(AV_LOG_QUIET);
  tell("encoder", ENCODERS, encodes);
  tell("decoder", DECODERS, decodes);
}
