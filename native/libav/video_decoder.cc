#include "video_decoder.h"

#include <cerrno>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

namespace vedette {

namespace {

/** Bits of the brightness, where that is a plane of its own, and comes first; 0: it is not. */
int bits_of(int format) {
  constexpr uint64_t OTHERS = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                              AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT;
  const AVPixFmtDescriptor* pixels = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  if (!pixels || pixels->flags & OTHERS) return 0;
  const AVComponentDescriptor& luma = pixels->comp[0];
  const bool is_own_plane =
      luma.plane == 0 && luma.offset == 0 && luma.shift == 0 && luma.step == (luma.depth > 8 ? 2 : 1);
  return is_own_plane && luma.depth >= 8 ? luma.depth : 0;
}

/**
 * The planes of colour, where they are as deep as the brightness and no coarser than a sample for four by four pixels;
 * else the picture goes without.
 */
void find_chroma(const AVFrame& frame, VedetteVideoPicture& picture) {
  const AVPixFmtDescriptor& pixels = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (pixels.nb_components < 3) return;
  const AVComponentDescriptor &cb = pixels.comp[1], &cr = pixels.comp[2];
  const bool are_alike =
      cb.depth == picture.bits && cr.depth == picture.bits && cb.shift == 0 && cr.shift == 0 && cb.step == cr.step;
  if (!are_alike || frame.linesize[cb.plane] != frame.linesize[cr.plane] || pixels.log2_chroma_w > 2 ||
      pixels.log2_chroma_h > 2)
    return;
  picture.cb = frame.data[cb.plane] + cb.offset;
  picture.cr = frame.data[cr.plane] + cr.offset;
  picture.chroma_stride = frame.linesize[cb.plane];
  picture.chroma_step = cb.step;
  picture.shift_x = pixels.log2_chroma_w;
  picture.shift_y = pixels.log2_chroma_h;
  picture.is_bt709 = frame.colorspace == AVCOL_SPC_BT709;
}

bool is_full_range(const AVFrame& frame) {
  return frame.color_range == AVCOL_RANGE_JPEG || frame.format == AV_PIX_FMT_YUVJ420P ||
         frame.format == AV_PIX_FMT_YUVJ422P || frame.format == AV_PIX_FMT_YUVJ444P;
}

}  // namespace

VideoDecoder::VideoDecoder(const AVCodecParameters& codec, const VedetteVideoInput& input)
    : input_(input), frame_(av_frame_alloc()) {
  const AVCodec* decoder = avcodec_find_decoder(codec.codec_id);
  if (decoder) context_ = avcodec_alloc_context3(decoder);
  if (context_ && frame_ && avcodec_parameters_to_context(context_, &codec) >= 0) {
    context_->thread_count = 1;  // more would each hold a picture back; one decodes 640x480 in 2 ms
    context_->max_pixels = input.max_pixels;
    if (input.is_live) context_->flags |= AV_CODEC_FLAG_LOW_DELAY;
    if (avcodec_open2(context_, decoder, nullptr) >= 0) return;
  }
  avcodec_free_context(&context_);
  av_frame_free(&frame_);
  throw Fault{"camera.unreadable", std::string(input.name) + " is a video of " + avcodec_get_name(codec.codec_id) +
                                       ", for which these libraries of FFmpeg have no decoder"};
}

VideoDecoder::~VideoDecoder() {
  avcodec_free_context(&context_);
  av_frame_free(&frame_);
}

void VideoDecoder::check(int result) const {
  if (result < 0)
    throw Fault{"picture.corrupt",
                std::string("a picture of ") + input_.name + " cannot be decoded: " + av_text(result)};
}

void VideoDecoder::give(const AVPacket* packet) {
  const int result = avcodec_send_packet(context_, packet);
  if (result != AVERROR_EOF) check(result);
}

bool VideoDecoder::take(VedetteVideoPicture& picture, int64_t& time) {
  const int result = avcodec_receive_frame(context_, frame_);
  if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return false;
  check(result);
  if (frame_->decode_error_flags || frame_->flags & AV_FRAME_FLAG_CORRUPT)
    throw Fault{"picture.corrupt", std::string("a picture of ") + input_.name + " is damaged"};
  picture.bits = bits_of(frame_->format);
  if (picture.bits == 0) {
    const char* format = av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame_->format));
    throw Fault{"picture.corrupt", std::string("the pictures of ") + input_.name +
                                       " have pixels that are not read here (" + (format ? format : "unknown") + ")"};
  }
  picture.luma = frame_->data[0];
  picture.stride = frame_->linesize[0];
  picture.width = frame_->width;
  picture.height = frame_->height;
  picture.is_limited = !is_full_range(*frame_);
  find_chroma(*frame_, picture);
  time = frame_->best_effort_timestamp;
  return true;
}

void VideoDecoder::skip() { avcodec_flush_buffers(context_); }

}  // namespace vedette
