// A camera on the network that gives live JPEGs over HTTP; what turns out to be a video is read as one.
#include <algorithm>
#include <optional>

#include "http_answer.h"
#include "huffman_tables.h"
#include "live_video.h"
#include "picture.h"
#include "silence.h"
#include "source.h"

namespace vedette {

namespace {

constexpr int64_t DEFAULT_OPENING_US = 6'000'000;  // such cameras wake up their sensor when they are asked
constexpr int READ_WAIT_MS = 50;                   // how long the end of the stream may have to wait

class UrlSource : public Source {
 public:
  explicit UrlSource(const UrlOptions& options) : options_(options) {}

  SourceFormat open() override {
    answer_ = std::make_unique<HttpAnswer>(HttpRequest{options_.url, options_.username, options_.password});
    const int64_t began_us = monotonic_us();
    SourceFormat format;
    if (!wait_for_first(began_us + opening_limit_us(DEFAULT_OPENING_US, options_.fps), format))
      return (video_ = make_http_video(options_, std::move(answer_), began_us))->open();
    is_first_ = true;
    last_number_ = newest_.number - 1;
    heard_us_ = monotonic_us();
    format.fps = options_.fps;
    format.pixel_format = "jpeg";
    format.timestamp_source = "arrival";
    format.intrinsics = options_.intrinsics;
    return format;
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    if (video_) return video_->next(frame, fault, stopping);
    while (!is_first_ && !answer_->take(newest_)) {
      if (stopping) return Next::stopped;
      if (monotonic_us() - heard_us_ > silence_limit_us(options_.fps))
        throw Fault{"camera.lost", "no picture came from " + shown(options_.url) + " for " +
                                       seconds(silence_limit_us(options_.fps)) + "; it is asked again"};
      answer_->read(READ_WAIT_MS);
    }
    is_first_ = false;
    heard_us_ = monotonic_us();
    try {
      read_size(frame.width, frame.height);
    } catch (const Fault& corrupt) {
      fault = corrupt;
      return Next::corrupt;
    }
    frame.seq = newest_.number;
    // those that newer ones replaced, and those that could not be used
    frame.missed = newest_.number - last_number_ - 1;
    last_number_ = newest_.number;
    stamp(frame);
    frame.name.clear();
    frame.exposure_us = 0;
    frame.has_truth = false;
    std::swap(frame.encoded, newest_.jpeg);
    add_huffman_tables(frame.encoded);
    return Next::frame;
  }

 private:
  /**
   * As its device says, where its clock is known; else when it came. Later than the one before in any case: others
   * count on that, and the first ones that are not stamped by their arrival any more go back by their way.
   */
  void stamp(Frame& frame) {
    const auto clock = options_.clock ? options_.clock->offset() : std::nullopt;
    const auto taken_us = captured_here_us(clock, newest_.taken_us, newest_.began_us);
    frame.is_stamped_there = taken_us && *taken_us > last_us_;
    frame.captured_us = taken_us ? std::max(*taken_us, last_us_ + 1) : newest_.began_us;
    last_us_ = frame.captured_us;
  }

  /** One that can be used: cameras that wake up send others first. False: what comes is a video. */
  bool wait_for_first(int64_t until_us, SourceFormat& format) {
    std::optional<Fault> unusable;
    const auto give_up = [&](const Fault& why) { throw unusable ? Fault{"camera.unreadable", unusable->detail} : why; };
    for (;;) {
      try {
        if (answer_->take(newest_)) {
          read_size(format.width, format.height);
          return true;
        }
      } catch (const Fault& corrupt) {
        unusable = corrupt;
      }
      if (monotonic_us() > until_us)
        give_up({"camera.missing", shown(options_.url) + " gives no picture within " +
                                       seconds(opening_limit_us(DEFAULT_OPENING_US, options_.fps)) +
                                       "; check the address and the camera"});
      try {
        answer_->read(READ_WAIT_MS);
      } catch (const Fault& over) {
        give_up(over);
      }
      if (answer_->is_video()) return false;
    }
  }

  void read_size(int& width, int& height) const {
    std::string format;
    read_picture_size(newest_.jpeg.data(), newest_.jpeg.size(), width, height, format);
    if (format != "jpeg") throw Fault{"picture.corrupt", "a part from " + shown(options_.url) + " is no JPEG"};
  }

  const UrlOptions options_;
  std::unique_ptr<HttpAnswer> answer_;
  std::unique_ptr<Source> video_;
  ReceivedPicture newest_;
  bool is_first_ = false;  // newest_ is the picture of the opening
  int64_t heard_us_ = 0, last_number_ = 0, last_us_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_url_source(const UrlOptions& options) {
  const std::string scheme = options.url.substr(0, options.url.find("://"));
  if (scheme == "rtsp" || scheme == "rtsps") return make_rtsp_video(options);
  return std::make_unique<UrlSource>(options);
}

}  // namespace vedette
