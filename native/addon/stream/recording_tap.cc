#include "recording_tap.h"

#include <pthread.h>

#include <utility>

#include "held_sink.h"
#include "jpeg_start.h"

namespace vedette {

namespace {

// pictures to be encoded or cut, a quarter of a second: an encoder further behind does not catch up
constexpr size_t MAX_WAITING = 8;
constexpr size_t MAX_RESULTS = 1024;  // half a minute: JavaScript takes them four times a second
constexpr int QUALITY = 90;           // detectors read these pictures again; 75 is for people

void hand_over(VedettePictureSink& sink, const std::vector<uint8_t>& bytes, int64_t captured_us) {
  sink.take(sink.self, bytes.data(), bytes.size(), captured_us);
}

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
  for (Waiting& work : waiting_)
    if (std::exchange(work.to, nullptr)) taken_.pictures_lost++;
  // that of the last picture; others may have been skipped
  if ((sink_ || ending_) && done_us_ < last_us_) taken_.results_lost++;
  sink_.reset();
  ending_.reset();
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
  for (Waiting& work : waiting_)  // what is to be kept, and not there yet
    if (rewinds && work.is_kept && work.part == part_number_) work.to = to;
  last_us_ = rewinds ? newest_us_ : NONE;
  sink_ = to;
  follow_need(lock);
}

bool RecordingTap::end() {
  std::unique_lock<FairMutex> lock(mutex_);
  if (sink_) ending_ = std::exchange(sink_, nullptr);
  if (!ending_) return true;
  if (ending_.use_count() > 1 || done_us_ < last_us_) return false;
  std::atomic_thread_fence(std::memory_order_acquire);  // what others have given it happened before
  ending_.reset();
  follow_need(lock);
  return true;
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

void RecordingTap::set_rewind(size_t max_bytes, bool is_paused) {
  std::unique_ptr<RewindRing> before;  // gives its memory back when nobody waits for the lock
  std::unique_lock<FairMutex> lock(mutex_);
  if (is_paused && !is_paused_) paused_us_ = newest_us_;
  is_paused_ = is_paused;
  if (ring_ && ring_->max_bytes() == max_bytes) return;
  before = std::move(ring_);
  if (max_bytes > 0) ring_ = std::make_unique<RewindRing>(max_bytes);
  follow_need(lock);
}

std::optional<RewindRing::Kept> RecordingTap::kept() {
  const std::lock_guard<FairMutex> lock(mutex_);
  if (!ring_) return std::nullopt;
  return ring_->kept();
}

/** The encoding thread is there as long as it may get work. */
void RecordingTap::follow_need(std::unique_lock<FairMutex>& lock) {
  is_needed_ = sink_ || ending_ || ring_;
  if (is_needed_ == encoder_.joinable()) return;
  if (is_needed_) {
    encoder_ = std::thread([this] { encode(); });
    pthread_setname_np(encoder_.native_handle(), "record");
    return;
  }
  std::thread ending = std::move(encoder_);
  changed_.notify_all();
  lock.unlock();
  ending.join();
  lock.lock();
  waiting_.clear();
}

int64_t RecordingTap::reopened(const SourceFormat& format) {
  const std::lock_guard<FairMutex> lock(mutex_);
  const Crop now{format.applied.crop.x, format.applied.crop.y, format.width, format.height};
  const bool is_same = now.x == part_.x && now.y == part_.y && now.width == part_.width && now.height == part_.height;
  // the times of a file that is played as fast as it goes run ahead
  const bool is_earlier = newest_us_ > monotonic_us();
  if (!is_same || is_earlier) {
    part_number_++;
    if (ring_) ring_->clear();
  }
  if (!is_same && sink_) ending_ = std::exchange(sink_, nullptr);  // JavaScript hears of it when pictures come already
  part_ = now;
  last_us_ = done_us_ = newest_us_ = NONE;
  return ++opening_;
}

void RecordingTap::captured(const std::shared_ptr<const Frame>& frame) {
  if (!is_needed_) return;
  if (frame->encoded.empty()) return gray(frame);
  if (!is_jpeg(frame->encoded)) return;  // when it has been decoded
  if (frame->crop.is_whole()) return jpeg(*frame);
  const std::lock_guard<FairMutex> lock(mutex_);
  if (takes(*frame)) wait_for_encoder(frame);
}

void RecordingTap::processed(const std::shared_ptr<const Frame>& frame) {
  if (is_needed_ && !frame->encoded.empty() && !is_jpeg(frame->encoded)) gray(frame);
}

void RecordingTap::result(const std::vector<double>& packed) {
  if (!is_needed_) return;
  const std::lock_guard<FairMutex> lock(mutex_);
  const auto captured_us = static_cast<int64_t>(packed[1]);  // as native/addon/stream/runner.cc packs it
  done_us_ = captured_us;
  if (keeps() || (ring_ && captured_us <= paused_us_))
    ring_->add(opening_, captured_us, packed.data(), packed.size() * sizeof(double));
  if (!sink_ && !(ending_ && captured_us <= last_us_)) return;
  if (new_results_ >= MAX_RESULTS) {
    taken_.results_lost++;
    return;
  }
  new_results_++;
  taken_.results.push_back({opening_, packed});
}

void RecordingTap::no_result(const Frame* frame) {
  const std::lock_guard<FairMutex> lock(mutex_);
  done_us_ = frame ? frame->captured_us : INT64_MAX;
}

/** Under the lock: whether a picture is recorded or kept. */
bool RecordingTap::takes(const Frame& frame) {
  if (!sink_ && !keeps()) return false;
  if (frame.width != part_.width || frame.height != part_.height) {
    if (sink_) taken_.pictures_lost++;
    return false;
  }
  newest_us_ = frame.captured_us;
  if (sink_) last_us_ = frame.captured_us;
  return true;
}

void RecordingTap::jpeg(const Frame& frame) {
  std::shared_ptr<VedettePictureSink> to;
  {
    const std::lock_guard<FairMutex> lock(mutex_);
    if (!takes(frame)) return;
    if (keeps()) ring_->add(RewindItem::PICTURE, frame.captured_us, frame.encoded.data(), frame.encoded.size());
    to = sink_;
  }
  if (to) hand_over(*to, frame.encoded, frame.captured_us);
}

/** Waits for the encoder, unless grey pixels are what is recorded, and nothing is kept. */
void RecordingTap::gray(const std::shared_ptr<const Frame>& frame) {
  std::shared_ptr<VedettePictureSink> to;
  {
    const std::lock_guard<FairMutex> lock(mutex_);
    if (!takes(*frame)) return;
    if (ring_ || !sink_->take_gray) return wait_for_encoder(frame);  // also while it is paused: what waits goes first
    to = sink_;
  }
  hand_over(*to, frame->gray, frame->captured_us);
}

/** Under the lock. */
void RecordingTap::wait_for_encoder(const std::shared_ptr<const Frame>& frame) {
  if (waiting_.size() > MAX_WAITING) {  // besides the one in work
    if (sink_) taken_.pictures_lost++;
    return;
  }
  waiting_.push_back({frame, sink_, part_number_, keeps()});
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
    Encoding work;
    {
      std::unique_lock<FairMutex> lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || !is_needed_; });
      if (!is_needed_) return;
      // it stays there until it is encoded: who it goes to may change meanwhile
      const Waiting& next = waiting_.front();
      work.frame = next.frame;
      work.goes_gray = next.to && next.to->take_gray && !is_jpeg(next.frame->encoded);
      work.becomes_jpeg = !work.goes_gray || (ring_ && next.is_kept && next.part == part_number_);
    }
    try {
      if (work.becomes_jpeg) work.jpeg = jpeg_of(*work.frame, encoder, cropper);
    } catch (...) {  // Fault, or no memory for it: this picture is lost, the next may fit
    }
    finish(work);
  }
}

/** Of a picture that came as a JPEG nothing but these bytes is looked at: the worker may be decoding them. */
std::vector<uint8_t> RecordingTap::jpeg_of(const Frame& frame, PictureEncoder& encoder, JpegCropper& cropper) {
  if (is_jpeg(frame.encoded)) return cropper.crop(frame.encoded, frame.crop);
  int width = 0, height = 0;
  return encoder.encode_gray(frame.gray, QUALITY, 0, width, height);
}

void RecordingTap::finish(const Encoding& work) {
  std::shared_ptr<VedettePictureSink> to;
  const int64_t captured_us = work.frame->captured_us;
  bool goes_gray;
  {
    const std::lock_guard<FairMutex> lock(mutex_);
    to = std::move(waiting_.front().to);
    if (ring_ && waiting_.front().is_kept && waiting_.front().part == part_number_ && !work.jpeg.empty())
      ring_->add(RewindItem::PICTURE, captured_us, work.jpeg.data(), work.jpeg.size());
    waiting_.pop_front();
    goes_gray = work.goes_gray && to && to->take_gray;
    if (to && !goes_gray && work.jpeg.empty()) taken_.pictures_lost++;
  }
  if (goes_gray) hand_over(*to, work.frame->gray, captured_us);
  else if (to && !work.jpeg.empty()) hand_over(*to, work.jpeg, captured_us);
}

}  // namespace vedette
