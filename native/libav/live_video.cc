#include "live_video.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "annex_b.h"
#include "video_encoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
}

namespace vedette {

namespace {

// before there is an encoder for their size: to open one takes as long as some pictures, and a single one may be a
// mistake
constexpr int MAX_OTHERS = 5;
// so much before the last one a picture is of another clock: the times of a file that is played as fast as it goes run
// ahead
constexpr int64_t STEP_BACK_US = 1'000'000;
constexpr int64_t TREMBLE_US = 4'000;

}  // namespace

LiveVideo::LiveVideo(LiveVideoOptions options, std::function<bool(LivePacket)> deliver,
                     std::function<void(const Fault&)> fail)
    : options_(std::move(options)), deliver_(std::move(deliver)), fail_(std::move(fail)), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "video");
}

LiveVideo::~LiveVideo() { end(); }

void LiveVideo::end() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

/** Whether it comes too soon after the last one that was taken: by more than a camera's times tremble. */
bool LiveVideo::is_passed_over(int64_t captured_us) {
  const int64_t apart_us = captured_us - taken_us_, min_us = min_apart_us_;
  if (apart_us >= 0 && apart_us < min_us - TREMBLE_US && !wants_key_) return true;
  taken_us_ = captured_us;
  return false;
}

/** With the buffer of one that was replaced or encoded, which has the size that is needed. */
LiveVideo::Picture LiveVideo::empty_picture(int64_t captured_us) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {std::exchange(spare_, {}), 0, 0, captured_us};
}

void LiveVideo::take(const uint8_t* bytes, size_t length, int64_t captured_us) {
  if (is_passed_over(captured_us)) return;
  Picture picture = empty_picture(captured_us);
  picture.bytes.assign(bytes, bytes + length);
  offer(std::move(picture));
}

void LiveVideo::take_gray(const uint8_t* pixels, int width, int height, int stride, int64_t captured_us) {
  if (is_passed_over(captured_us)) return;
  Picture picture = empty_picture(captured_us);
  picture.width = width;
  picture.height = height;
  picture.bytes.resize(static_cast<size_t>(width) * height);
  for (int y = 0; y < height; y++)
    std::copy_n(pixels + static_cast<ptrdiff_t>(y) * stride, width,
                picture.bytes.begin() + static_cast<ptrdiff_t>(y) * width);
  offer(std::move(picture));
}

void LiveVideo::offer(Picture picture) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_ending_) return;
  if (newest_) spare_ = std::move(newest_->bytes);
  newest_ = std::move(picture);
  changed_.notify_all();
}

void LiveVideo::run() {
  yuv_ = std::make_unique<YuvPicture>();
  for (;;) {
    Picture picture;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return newest_ || is_ending_; });
      if (is_ending_) return;
      picture = std::move(*newest_);
      newest_.reset();
    }
    try {
      encode(picture);
    } catch (const Fault& fault) {
      if (fault.code != "picture.corrupt") return fail_(fault);  // a corrupt one costs itself
    } catch (const std::exception& error) {
      return fail_({"codec.unavailable", std::string("encoding failed unexpectedly: ") + error.what()});
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (spare_.empty()) spare_ = std::move(picture.bytes);
  }
}

void LiveVideo::encode(const Picture& picture) {
  AVFrame* frame = picture.width == 0
                       ? yuv_->of_jpeg(picture.bytes.data(), picture.bytes.size())
                       : yuv_->of_gray(picture.bytes.data(), picture.width, picture.height, picture.width);
  const bool fits = encoder_ && encoder_->width() == frame->width && encoder_->height() == frame->height;
  const bool is_set_back = encoder_ && picture.captured_us < first_us_ + last_pts_us_ - STEP_BACK_US;
  others_ = fits ? 0 : others_ + 1;
  if (encoder_ && !fits && !is_set_back && others_ < MAX_OTHERS) return;
  if (!fits || is_set_back) begin(frame->width, frame->height, picture.captured_us);
  const int64_t pts_us = picture.captured_us - first_us_;
  if (pts_us <= last_pts_us_) return;  // of the camera as it was opened before
  last_pts_us_ = pts_us;
  encoder_->encode(frame, pts_us, wants_key_.exchange(false), [this](const AVPacket& packet) { hand_on(packet); });
}

void LiveVideo::begin(int width, int height, int64_t captured_us) {
  encoder_.reset();
  encoder_ = std::make_unique<VideoEncoder>(
      VideoFormat{options_.library, width, height, options_.fps, options_.max_bits_per_s});
  first_us_ = captured_us;
  last_pts_us_ = -1;
  waits_for_key_ = true;
}

void LiveVideo::hand_on(const AVPacket& packet) {
  const bool is_key = packet.flags & AV_PKT_FLAG_KEY;
  if (waits_for_key_ && !is_key) return;
  LivePacket live;
  live.captured_us = first_us_ + packet.pts;
  live.is_key = is_key;
  const auto size = static_cast<size_t>(packet.size);
  if (is_key && !has_parameter_sets(packet.data, size)) live.bytes = encoder_->parameter_sets();
  live.bytes.insert(live.bytes.end(), packet.data, packet.data + size);
  waits_for_key_ = !deliver_(std::move(live));
  if (waits_for_key_) want_key();
}

}  // namespace vedette
