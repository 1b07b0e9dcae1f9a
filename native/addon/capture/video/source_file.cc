// A video from a file, or a recording of this device: at the pace at which it was taken, or as fast as the pipeline
// takes it.
#include <algorithm>
#include <optional>
#include <utility>

#include "media_file.h"
#include "pace.h"
#include "picture.h"
#include "source.h"
#include "video.h"

namespace vedette {

namespace {

constexpr int64_t OPEN_LIMIT_US = 8'000'000;  // an engine that is silent for 10 s is taken for a hung one
constexpr int64_t STALL_US = 1'000'000;       // further behind, the clock starts again instead of rushing
// without a picture: the camera was away, or its clock was set. Nobody wants to sit through that
constexpr int64_t GAP_US = 10'000'000;
constexpr double DEFAULT_FPS = 30;

class FileSource : public Source {
 public:
  explicit FileSource(const FileOptions& options) : options_(options) {}

  SourceFormat open() override {
    file_.emplace(options_.path, options_.media_roots);
    open_until_us_ = monotonic_us() + OPEN_LIMIT_US;
    Frame first;
    int64_t pts_us = VEDETTE_NO_PTS;
    try {
      begin_pass();
      read_first(first, pts_us);
    } catch (const Fault&) {
      if (monotonic_us() > open_until_us_) fail("camera.unreadable", options_.path + " gives no picture within 8 s");
      throw;
    }
    open_until_us_ = 0;
    SourceFormat format;
    format.width = first.width;
    format.height = first.height;
    format.fps = video_->fps() > 0 ? video_->fps() : DEFAULT_FPS;
    format.pixel_format = video_->pixel_format();
    format.timestamp_source = "file";
    format.intrinsics = options_.intrinsics;
    period_us_ = static_cast<int64_t>(1e6 / format.fps);
    video_->put_back(std::move(first), pts_us);
    return format;
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    stopping_ = &stopping;
    if (start_us_ < 0) start_us_ = monotonic_us();
    try {
      return next_in_turn(frame, fault, stopping);
    } catch (const Fault&) {
      if (stopping) return Next::stopped;
      throw;
    }
  }

  void want_colour(bool wanted) override { is_colour_wanted_ = wanted; }
  size_t pictures() const override { return pictures_; }

 private:
  [[noreturn]] static void fail(const char* code, const std::string& detail) { throw Fault{code, detail}; }

  Next next_in_turn(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) {
    for (;;) {
      if (stopping) return Next::stopped;
      int64_t pts_us = VEDETTE_NO_PTS;
      const VideoStep step = video_->next(frame, pts_us, fault, is_colour_wanted_);
      if (step == VideoStep::ended) {
        if (!begin_again()) return Next::ended;
        continue;
      }
      if (step == VideoStep::corrupt) return Next::corrupt;
      in_pass_++;
      place_us_ = place_of(pts_us);
      if (!options_.is_fast && !wait_for_turn(stopping)) return Next::stopped;
      frame.seq = seq_++;
      frame.captured_us = start_us_ + place_us_;
      frame.missed = 0;
      return Next::frame;
    }
  }

  void read_first(Frame& first, int64_t& pts_us) {
    Fault bad{"", options_.path + " holds no picture"};
    for (;;) {
      const VideoStep step = video_->next(first, pts_us, bad, true);
      if (step == VideoStep::ended) fail("camera.unreadable", bad.detail);
      if (step == VideoStep::picture) return;
    }
  }

  void begin_pass() {
    video_.reset();
    at_ = 0;
    pass_pts_us_ = VEDETTE_NO_PTS;
    in_pass_ = 0;
    VedetteVideoInput input{};
    input.kind = VEDETTE_VIDEO;
    input.name = options_.path.c_str();
    input.max_pixels = MAX_PIXELS;
    input.self = this;
    input.read = [](void* self, uint8_t* to, int most) { return static_cast<FileSource*>(self)->read_bytes(to, most); };
    input.seek = [](void* self, int64_t to) { return static_cast<FileSource*>(self)->seek(to); };
    input.stops = [](void* self) { return static_cast<FileSource*>(self)->stops(); };
    video_.emplace(options_.video_library, input);
  }

  /** False: it has ended. */
  bool begin_again() {
    if (in_pass_ == 0 && options_.loop) fail("camera.lost", "no picture of " + options_.path + " can be read any more");
    pictures_ = in_pass_;
    if (!options_.loop) return false;
    pass_start_us_ = place_us_ + period_us_;
    begin_pass();
    return true;
  }

  /**
   * Where a picture lies since the first of all, in the time of the video; what comes without a time, or out of order,
   * comes a period after the last.
   */
  int64_t place_of(int64_t pts_us) {
    if (in_pass_ == 1) {
      pass_pts_us_ = pts_us;
      return pass_start_us_;
    }
    const bool is_timed = pts_us != VEDETTE_NO_PTS && pass_pts_us_ != VEDETTE_NO_PTS;
    const int64_t place_us = is_timed ? pass_start_us_ + pts_us - pass_pts_us_ : place_us_;
    return place_us > place_us_ ? place_us : place_us_ + period_us_;
  }

  bool wait_for_turn(const std::atomic<bool>& stopping) {
    const int64_t late_us = monotonic_us() - (start_us_ + place_us_);
    if (late_us > STALL_US) start_us_ += late_us;
    if (-late_us > GAP_US + period_us_) start_us_ += late_us + period_us_;
    return wait_until(start_us_ + place_us_, stopping);
  }

  int read_bytes(uint8_t* to, int most) {
    const int64_t got = file_->read(at_, to, static_cast<size_t>(most));
    if (got > 0) at_ += got;
    return static_cast<int>(got);
  }

  int64_t seek(int64_t to) {
    if (to < 0) return file_->size();
    return at_ = to;
  }

  bool stops() const { return (stopping_ && *stopping_) || (open_until_us_ > 0 && monotonic_us() > open_until_us_); }

  const FileOptions options_;
  std::optional<MediaFile> file_;
  std::optional<Video> video_;
  int64_t at_ = 0;             // in the file
  int64_t open_until_us_ = 0;  // 0: it is open
  const std::atomic<bool>* stopping_ = nullptr;

  int64_t start_us_ = -1;      // CLOCK_MONOTONIC, of the first picture of all
  int64_t pass_start_us_ = 0;  // since then: the first picture of this time through the file
  int64_t pass_pts_us_ = VEDETTE_NO_PTS;
  int64_t place_us_ = 0, period_us_ = 0, seq_ = 0;
  size_t in_pass_ = 0;
  std::atomic<size_t> pictures_{0};  // of a whole pass; the worker asks
  std::atomic<bool> is_colour_wanted_{false};
};

}  // namespace

std::unique_ptr<Source> make_file_source(const FileOptions& options) { return std::make_unique<FileSource>(options); }

}  // namespace vedette
