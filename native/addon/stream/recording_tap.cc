#include "recording_tap.h"

#include <pthread.h>

#include <utility>

namespace vedette {

namespace {

constexpr size_t MOST_WAITING = 8;     // pictures of grey pixels, a quarter of a second: an encoder further behind does not catch up
constexpr size_t MOST_RESULTS = 1024;  // half a minute: JavaScript takes them four times a second
constexpr int QUALITY = 90;            // detectors read these pictures again; 75 is for people

bool is_jpeg(const std::vector<uint8_t>& bytes) { return bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0xd8; }

void hand_over(VedettePictureSink& sink, const std::vector<uint8_t>& bytes, int64_t captured_us) { sink.take(sink.self, bytes.data(), bytes.size(), captured_us); }

}  // namespace

void RecordingTap::set_sink(VedettePictureSink* sink) {
  std::thread ending;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_recording_ = false;
    sink_.reset();
    waiting_.clear();
    ending = std::move(encoder_);
    changed_.notify_all();
  }
  if (ending.joinable()) ending.join();
  if (!sink) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  taken_ = {};
  sink->retain(sink->self);
  sink_.reset(sink, [](VedettePictureSink* held) { held->release(held->self); });
  is_recording_ = true;
  encoder_ = std::thread([this] { encode(); });
  pthread_setname_np(encoder_.native_handle(), "record");
}

std::shared_ptr<VedettePictureSink> RecordingTap::sink() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sink_;
}

void RecordingTap::captured(const std::shared_ptr<const Frame>& frame) {
  if (!is_recording_) return;
  if (frame->encoded.empty()) return wait_for_encoder(frame);
  if (!is_jpeg(frame->encoded)) return;  // when it has been decoded
  if (const auto to = sink()) hand_over(*to, frame->encoded, frame->captured_us);
}

void RecordingTap::processed(const std::shared_ptr<const Frame>& frame) {
  if (is_recording_ && !frame->encoded.empty() && !is_jpeg(frame->encoded)) wait_for_encoder(frame);
}

void RecordingTap::result(const std::vector<double>& packed) {
  if (!is_recording_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (taken_.results.size() >= MOST_RESULTS)
    taken_.results_lost++;
  else
    taken_.results.push_back(packed);
}

void RecordingTap::wait_for_encoder(const std::shared_ptr<const Frame>& frame) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!sink_) return;
  if (waiting_.size() >= MOST_WAITING) {
    taken_.pictures_lost++;
    return;
  }
  waiting_.push_back(frame);
  changed_.notify_all();
}

RecordingTap::Taken RecordingTap::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(taken_, {});
}

void RecordingTap::encode() {
  PictureEncoder jpeg;
  for (;;) {
    std::shared_ptr<const Frame> frame;
    std::shared_ptr<VedettePictureSink> to;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || !sink_; });
      if (!sink_) return;
      to = sink_;
      frame = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      int width = 0, height = 0;
      hand_over(*to, jpeg.encode_gray(frame->gray, QUALITY, 0, width, height), frame->captured_us);
    } catch (...) {  // Fault, or no memory for it: this picture is lost, the next may fit
      const std::lock_guard<std::mutex> lock(mutex_);
      taken_.pictures_lost++;
    }
  }
}

}  // namespace vedette
