#include "recording_tap.h"

#include <pthread.h>

#include <utility>

#include "held_sink.h"
#include "jpeg_crop.h"
#include "jpeg_start.h"

namespace vedette {

namespace {

constexpr size_t MOST_WAITING = 8;     // pictures to be encoded or cut, a quarter of a second: an encoder further behind does not catch up
constexpr size_t MOST_RESULTS = 1024;  // half a minute: JavaScript takes them four times a second
constexpr int QUALITY = 90;            // detectors read these pictures again; 75 is for people

void hand_over(VedettePictureSink& sink, const std::vector<uint8_t>& bytes, int64_t captured_us) { sink.take(sink.self, bytes.data(), bytes.size(), captured_us); }

void hand_over(VedettePictureSink& sink, const GrayImage& image, int64_t captured_us) {
  sink.take_gray(sink.self, image.data(), image.width, image.height, image.stride, captured_us);
}

}  // namespace

RecordingTap::~RecordingTap() {
  set_sink(nullptr);
  set_rewind(0);
}

void RecordingTap::set_sink(VedettePictureSink* sink, bool rewinds) {
  std::unique_lock<FairMutex> lock(mutex_);
  sink_.reset();
  follow_need(lock);
  if (!sink) return;
  const std::shared_ptr<VedettePictureSink> to = held(sink);
  taken_ = {};
  new_results_ = 0;
  RewindRing::Place place;
  while (rewinds && rewind_one(place, *to)) {
    if (!mutex_.is_wanted()) continue;
    lock.unlock();
    lock.lock();
  }
  sink_ = to;
  follow_need(lock);
}

/** False: there is none that was not handed over. */
bool RecordingTap::rewind_one(RewindRing::Place& place, VedettePictureSink& to) {
  const RewindItem* item = ring_ ? ring_->next(place) : nullptr;
  if (!item) return false;
  if (item->opening == RewindItem::PICTURE) {
    to.take(to.self, item->bytes(), item->length, item->captured_us);
  } else {
    const auto* packed = reinterpret_cast<const double*>(item->bytes());
    taken_.results.push_back({item->opening, {packed, packed + item->length / sizeof(double)}});
  }
  return true;
}

void RecordingTap::set_rewind(size_t max_bytes) {
  std::unique_lock<FairMutex> lock(mutex_);
  if (ring_ && ring_->max_bytes() == max_bytes) return;
  ring_.reset();
  if (max_bytes > 0) ring_ = std::make_unique<RewindRing>(max_bytes);
  follow_need(lock);
}

/** The encoding thread is there as long as it may get work. */
void RecordingTap::follow_need(std::unique_lock<FairMutex>& lock) {
  is_needed_ = sink_ || ring_;
  if (is_needed_ == encoder_.joinable()) return;
  if (is_needed_) {
    encoder_ = std::thread([this] { encode(); });
    pthread_setname_np(encoder_.native_handle(), "record");
    return;
  }
  waiting_.clear();
  std::thread ending = std::move(encoder_);
  changed_.notify_all();
  lock.unlock();
  ending.join();
  lock.lock();
}

int64_t RecordingTap::reopened(const SourceFormat& format) {
  const std::lock_guard<FairMutex> lock(mutex_);
  const Crop now{format.applied.crop.x, format.applied.crop.y, format.width, format.height};
  const bool is_same = now.x == part_.x && now.y == part_.y && now.width == part_.width && now.height == part_.height;
  if (ring_ && !is_same) ring_->clear();
  part_ = now;
  return ++opening_;
}

void RecordingTap::captured(const std::shared_ptr<const Frame>& frame) {
  if (!is_needed_) return;
  if (frame->encoded.empty()) return gray(frame);
  if (!is_jpeg(frame->encoded)) return;  // when it has been decoded
  if (frame->crop.is_whole()) return jpeg(frame->encoded, frame->captured_us);
  const std::lock_guard<FairMutex> lock(mutex_);
  if (sink_ || ring_) wait_for_encoder(frame);
}

void RecordingTap::processed(const std::shared_ptr<const Frame>& frame) {
  if (is_needed_ && !frame->encoded.empty() && !is_jpeg(frame->encoded)) gray(frame);
}

void RecordingTap::result(const std::vector<double>& packed) {
  if (!is_needed_) return;
  const std::lock_guard<FairMutex> lock(mutex_);
  // packed[1] is the capture time (native/addon/stream/runner.cc).
  if (ring_) ring_->add(opening_, static_cast<int64_t>(packed[1]), packed.data(), packed.size() * sizeof(double));
  if (!sink_) return;
  if (new_results_ >= MOST_RESULTS) {
    taken_.results_lost++;
    return;
  }
  new_results_++;
  taken_.results.push_back({opening_, packed});
}

void RecordingTap::jpeg(const std::vector<uint8_t>& bytes, int64_t captured_us) {
  std::shared_ptr<VedettePictureSink> to;
  {
    const std::lock_guard<FairMutex> lock(mutex_);
    if (ring_) ring_->add(RewindItem::PICTURE, captured_us, bytes.data(), bytes.size());
    to = sink_;
  }
  if (to) hand_over(*to, bytes, captured_us);
}

/** Waits for the encoder, unless grey pixels are what is recorded, and nothing is kept. */
void RecordingTap::gray(const std::shared_ptr<const Frame>& frame) {
  std::shared_ptr<VedettePictureSink> to;
  {
    const std::lock_guard<FairMutex> lock(mutex_);
    if (sink_ && sink_->take_gray && !ring_) {
      to = sink_;
    } else if (!sink_ && !ring_) {
      return;
    } else {
      wait_for_encoder(frame);
    }
  }
  if (to) hand_over(*to, frame->gray, frame->captured_us);
}

/** Under the lock. */
void RecordingTap::wait_for_encoder(const std::shared_ptr<const Frame>& frame) {
  if (waiting_.size() >= MOST_WAITING) {
    if (sink_) taken_.pictures_lost++;
    return;
  }
  waiting_.push_back(frame);
  changed_.notify_all();
}

RecordingTap::Taken RecordingTap::take() {
  const std::lock_guard<FairMutex> lock(mutex_);
  new_results_ = 0;
  return std::exchange(taken_, {});
}

void RecordingTap::encode() {
  PictureEncoder encoder;
  JpegCropper cropper;
  for (;;) {
    std::shared_ptr<const Frame> frame;
    bool becomes_jpeg;
    {
      std::unique_lock<FairMutex> lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || !is_needed_; });
      if (!is_needed_) return;
      frame = std::move(waiting_.front());
      waiting_.pop_front();
      becomes_jpeg = ring_ || !sink_ || !sink_->take_gray;
    }
    try {
      if (is_jpeg(frame->encoded)) {  // nothing but these bytes is looked at: the worker may be decoding them
        jpeg(cropper.crop(frame->encoded, frame->crop), frame->captured_us);
        continue;
      }
      int width = 0, height = 0;
      std::vector<uint8_t> encoded;
      if (becomes_jpeg) encoded = encoder.encode_gray(frame->gray, QUALITY, 0, width, height);
      std::shared_ptr<VedettePictureSink> to;
      {
        const std::lock_guard<FairMutex> lock(mutex_);
        if (ring_ && becomes_jpeg) ring_->add(RewindItem::PICTURE, frame->captured_us, encoded.data(), encoded.size());
        to = sink_;
      }
      if (to && to->take_gray)
        hand_over(*to, frame->gray, frame->captured_us);
      else if (to && becomes_jpeg)
        hand_over(*to, encoded, frame->captured_us);
    } catch (...) {  // Fault, or no memory for it: this picture is lost, the next may fit
      const std::lock_guard<FairMutex> lock(mutex_);
      taken_.pictures_lost++;
    }
  }
}

}  // namespace vedette
