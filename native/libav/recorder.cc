#include "recorder.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "picture_muxer.h"
#include "video_encoder.h"

extern "C" {
#include <libavcodec/packet.h>
#include <libavutil/frame.h>
}

namespace vedette {

namespace {

int64_t monotonic_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

/**
 * For so long after its time a fragment waits for the picture behind it, which tells how long its last one lasts. A
 * camera that is silent tells nothing.
 */
constexpr int64_t GRACE_US = 200'000;

/** So much before the last one a picture is of another clock. Those that were encoded side by side are less apart. */
constexpr int64_t STEP_BACK_US = 1'000'000;

void free_packet(AVPacket* packet) { av_packet_free(&packet); }

}  // namespace

Recorder::Recorder(RecorderOptions options, std::function<void(const RecorderEvent&)> tell)
    : options_(std::move(options)), tell_(std::move(tell)), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "mux");
}

Recorder::~Recorder() { end(); }

void Recorder::end() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    takes_ = false;
    is_abandoned_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Recorder::take(const uint8_t* bytes, size_t length, int64_t captured_us) {
  queue(length, {{nullptr, free_packet}, captured_us}, [&](uint8_t* to) { std::memcpy(to, bytes, length); });
}

void Recorder::take_gray(const uint8_t* pixels, int width, int height, int stride, int64_t captured_us) {
  const auto row = static_cast<size_t>(width);
  queue(row * static_cast<size_t>(height), {{nullptr, free_packet}, captured_us, width, height}, [&](uint8_t* to) {
    for (int y = 0; y < height; y++)
      std::memcpy(to + row * static_cast<size_t>(y), pixels + static_cast<ptrdiff_t>(y) * stride, row);
  });
}

template <typename Fill>
void Recorder::queue(size_t length, Waiting picture, Fill fill) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!takes_) return;
    if (queued_bytes_ + length > options_.max_queued_bytes) {
      counts_.lost++;
      return;
    }
    queued_bytes_ += length;  // reserved; copied without the lock
  }
  picture.packet.reset(av_packet_alloc());
  const bool is_copied = picture.packet && av_new_packet(picture.packet.get(), static_cast<int>(length)) == 0;
  if (is_copied) fill(picture.packet->data);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_copied || !takes_) {
    queued_bytes_ -= length;
    if (takes_) counts_.lost++;
    return;
  }
  queue_.push_back(std::move(picture));
  changed_.notify_all();
}

void Recorder::cut() {
  const std::lock_guard<std::mutex> lock(mutex_);
  wants_cut_ = true;
  changed_.notify_all();
}

void Recorder::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  takes_ = false;
  is_stopping_ = true;
  changed_.notify_all();
}

RecorderCounts Recorder::counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

void Recorder::run() {
  std::unique_ptr<RecordingFile> file;
  try {
    file = std::make_unique<RecordingFile>(options_.path);
    record(*file);
  } catch (const Fault& fault) {
    if (file) file->cut_back();
    tell("failed", fault, file ? file->bytes() : 0);
  } catch (const std::exception& error) {
    if (file) file->cut_back();
    tell("failed", {"recording.failed", std::string("recording failed unexpectedly: ") + error.what()},
         file ? file->bytes() : 0);
  }
}

/** What makes H.264 of the pictures. */
struct Recorder::Encoding {
  explicit Encoding(const RecorderOptions& options)
      : encoder({options.library, options.width, options.height, options.fps, options.max_bits_per_s}) {}
  MuxedPictures pictures() const { return {encoder.width(), encoder.height(), encoder.parameter_sets()}; }

  VideoEncoder encoder;
  YuvPicture yuv;
};

void Recorder::record(RecordingFile& file) {
  const auto encoding = options_.library.empty() ? nullptr : std::make_unique<Encoding>(options_);
  PictureMuxer muxer(file, encoding ? encoding->pictures() : MuxedPictures{options_.width, options_.height, {}});
  tell("opened", {}, file.bytes());
  Turn turn;
  for (;;) {
    std::optional<Waiting> picture;
    turn = next(picture);
    if (turn == Turn::abandoned) return;
    if (turn == Turn::end || turn == Turn::set_back) break;
    if (turn == Turn::cut) muxer.cut();
    else mux(muxer, encoding.get(), *picture);
    const std::lock_guard<std::mutex> lock(mutex_);
    counts_.bytes = file.bytes();
    counts_.duration_us = std::max<int64_t>(muxer.last_pts_us(), 0);
    if (muxer.is_empty()) due_us_ = -1;
    else if (due_us_ < 0) due_us_ = monotonic_us() + options_.fragment_us;
  }
  if (encoding) encoding->encoder.finish([&](AVPacket& encoded) { muxer.add(&encoded, encoded.pts, false); });
  muxer.finish();
  file.sync();
  if (turn == Turn::set_back)
    throw Fault{"recording.failed",
                "the pictures that come now were taken before those that are recorded, by their times: the recording "
                "was ended there"};
  tell("closed", {}, file.bytes());
}

/** Pictures first: the queue is what must not grow. */
Recorder::Turn Recorder::next(std::optional<Waiting>& picture) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    if (is_abandoned_) return Turn::abandoned;
    if (!queue_.empty()) break;
    if (is_stopping_) return Turn::end;
    if (std::exchange(wants_cut_, false)) return Turn::cut;
    if (due_us_ < 0) {
      changed_.wait(lock);
      continue;
    }
    const int64_t left_us = due_us_ + GRACE_US - monotonic_us();
    if (left_us <= 0) return Turn::cut;
    changed_.wait_for(lock, std::chrono::microseconds(left_us));
  }
  if (queue_.front().captured_us + STEP_BACK_US < last_us_) return Turn::set_back;
  last_us_ = queue_.front().captured_us;
  picture.emplace(std::move(queue_.front()));
  queue_.pop_front();
  queued_bytes_ -= static_cast<size_t>(picture->packet->size);
  return Turn::picture;
}

void Recorder::mux(PictureMuxer& muxer, Encoding* encoding, Waiting& picture) {
  bool cuts = due_us_ >= 0 && monotonic_us() >= due_us_;
  const auto add = [&](AVPacket& packet, int64_t pts_us) {
    muxer.add(&packet, pts_us, cuts);
    if (std::exchange(cuts, false)) due_us_ = -1;
  };
  AVPacket& packet = *picture.packet;
  const int64_t first_us = counts_.first_us < 0 ? picture.captured_us : counts_.first_us;
  const int64_t pts_us = picture.captured_us - first_us;
  try {
    if (!encoding) {
      packet.flags |= AV_PKT_FLAG_KEY;
      add(packet, pts_us);
      return count(first_us);
    }
    AVFrame* frame = picture.width == 0
                         ? encoding->yuv.of_jpeg(packet.data, static_cast<size_t>(packet.size))
                         : encoding->yuv.of_gray(packet.data, picture.width, picture.height, picture.width);
    if (frame->width != encoding->encoder.width() || frame->height != encoding->encoder.height())
      throw Fault{"picture.other_size", "it has another size than those before"};
    encoding->encoder.encode(frame, std::max(pts_us, muxer.last_pts_us() + 1), false,
                             [&](AVPacket& encoded) { add(encoded, encoded.pts); });
    count(first_us);
  } catch (const Fault& fault) {
    if (fault.code != "picture.corrupt" && fault.code != "picture.other_size") throw;
    const std::lock_guard<std::mutex> lock(mutex_);  // this one is lost, the next may do
    counts_.lost++;
  }
}

/**
 * One more picture is in the file, or in the encoder. first_us: when the first of all was captured, from which on
 * others count their time.
 */
void Recorder::count(int64_t first_us) {
  const std::lock_guard<std::mutex> lock(mutex_);
  counts_.pictures++;
  counts_.first_us = first_us;
}

void Recorder::tell(const char* type, const Fault& fault, int64_t bytes) {
  RecorderEvent event{type, fault, {}};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    counts_.bytes = bytes;
    if (event.type == "failed") {
      takes_ = false;
      counts_.lost += static_cast<int64_t>(queue_.size());
      queue_.clear();
    }
    event.counts = counts_;
  }
  tell_(event);
}

}  // namespace vedette
