// A camera on the network that gives a video: over RTSP, or in an answer over HTTP that has begun.
#include "live_video.h"

#include <optional>
#include <utility>
#include <vector>

#include "arrival_clock.h"
#include "name_lookup.h"
#include "picture.h"
#include "silence.h"
#include "video.h"

namespace vedette {

namespace {

constexpr int64_t DEFAULT_OPENING_US = 8'000'000;  // the first picture has to wait for a key picture
constexpr int READ_WAIT_MS = 50;

class LiveVideo : public Source {
 public:
  /** answer: none for an address of RTSP. asked_us: -1: it is asked for when it is opened. */
  LiveVideo(const UrlOptions& options, std::unique_ptr<HttpAnswer> answer, int64_t asked_us)
      : options_(options), name_(shown(options.url)), answer_(std::move(answer)), asked_us_(asked_us) {}

  SourceFormat open() override {
    const int64_t until_us =
        (asked_us_ < 0 ? monotonic_us() : asked_us_) + opening_limit_us(DEFAULT_OPENING_US, options_.fps);
    Frame first;
    int64_t pts_us = VEDETTE_NO_PTS;
    const std::vector<std::string> addresses = answer_ ? std::vector<std::string>{""} : addresses_of(options_);
    for (size_t left = addresses.size(); left > 0; left--) {
      address_ = addresses[addresses.size() - left];
      const int64_t now_us = monotonic_us();
      limit_us_ = now_us + (until_us - now_us) / static_cast<int64_t>(left);
      try {
        read_first(first, pts_us);
        break;
      } catch (const Fault& fault) {
        if (left == 1 || fault.code != "camera.missing") throw;
      }
    }
    first_us_ = monotonic_us();
    SourceFormat format;
    format.width = first.width;
    format.height = first.height;
    format.fps = options_.fps;
    format.pixel_format = video_->pixel_format();
    format.timestamp_source = "arrival";
    format.intrinsics = options_.intrinsics;
    video_->put_back(std::move(first), pts_us);
    return format;
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    stopping_ = &stopping;
    limit_us_ = monotonic_us() + silence_limit_us(options_.fps);
    int64_t pts_us = VEDETTE_NO_PTS;
    VideoStep step = VideoStep::ended;
    try {
      explained([&] { step = video_->next(frame, pts_us, fault, is_colour_wanted_); });
    } catch (const Fault& why) {
      if (stopping) return Next::stopped;
      throw Fault{"camera.lost", why.detail};
    }
    if (stopping) return Next::stopped;
    if (step == VideoStep::corrupt) return Next::corrupt;
    if (step == VideoStep::ended) throw Fault{"camera.lost", "the camera at " + name_ + " has ended its video"};
    const int64_t now_us = has_been_first_ ? monotonic_us() : first_us_;
    has_been_first_ = true;
    frame.seq = seq_ += 1 + frame.missed;
    frame.captured_us = time_of(pts_us, now_us);
    return Next::frame;
  }

  void want_colour(bool wanted) override { is_colour_wanted_ = wanted; }

 private:
  /**
   * All that the name has, so that the library looks nothing up, which it may do for minutes. It does where a
   * connection is encrypted: there the name may tell which of several servers is meant.
   */
  static std::vector<std::string> addresses_of(const UrlOptions& options) {
    const NameLookup lookup(host_of(options.url));
    while (!lookup.wait(READ_WAIT_MS * 1000)) {
    }
    std::vector<std::string> addresses;
    for (const std::string& address : lookup.addresses()) addresses.push_back(with_host(options.url, address));
    if (options.url.compare(0, 6, "rtsps:") == 0) addresses = {options.url};
    for (std::string& address : addresses) address = with_credentials(address, options.username, options.password);
    return addresses;
  }

  void read_first(Frame& first, int64_t& pts_us) {
    VideoStep step = VideoStep::ended;
    explained([&] {
      video_.emplace(options_.video_library, input());
      step = video_->next(first, pts_us, first_fault_, true);
      while (step == VideoStep::corrupt && !is_over()) step = video_->next(first, pts_us, first_fault_, true);
    });
    if (step != VideoStep::picture)
      throw is_over() ? silent_from_the_start() : Fault{"camera.unreadable", name_ + " ends before its first picture"};
  }

  VedetteVideoInput input() {
    VedetteVideoInput input{};
    input.kind = VEDETTE_VIDEO;
    input.name = name_.c_str();
    input.address = answer_ ? nullptr : address_.c_str();
    input.is_live = true;
    input.max_pixels = MAX_PIXELS;
    input.self = this;
    input.read = [](void* self, uint8_t* to, int most) { return static_cast<LiveVideo*>(self)->read_bytes(to, most); };
    input.stops = [](void* self) { return static_cast<LiveVideo*>(self)->stops(); };
    return input;
  }

  int64_t time_of(int64_t pts_us, int64_t now_us) {
    if (pts_us == VEDETTE_NO_PTS) return now_us;
    const int64_t captured_us = clock_.captured_us(pts_us, now_us);
    if (const auto wanted_us = clock_.skip_to_us(pts_us, now_us, video_->was_waited_for())) video_->skip_to(*wanted_us);
    return captured_us;
  }

  /** What the reader says of an answer that has failed, or of a time that is over, is not the reason. */
  template <typename Body>
  void explained(Body body) {
    try {
      body();
    } catch (const Fault& told) {
      if (failed_) throw *failed_;
      if (told.code == "video.unavailable") throw;
      if (is_over())
        throw has_been_first_
            ? Fault{"camera.lost", "no picture came from " + name_ + " for " + seconds(silence_limit_us(options_.fps)) +
                                       "; it is asked again"}
            : silent_from_the_start();
      throw;
    }
  }

  Fault silent_from_the_start() const {
    if (!first_fault_.detail.empty()) return {"camera.unreadable", first_fault_.detail};
    return {"camera.missing", name_ + " gives no picture within " +
                                  seconds(opening_limit_us(DEFAULT_OPENING_US, options_.fps)) +
                                  "; check the address and the camera"};
  }

  bool is_over() const { return monotonic_us() > limit_us_; }
  bool stops() const { return (stopping_ && *stopping_) || is_over(); }

  /** Called through the reader, which is plain C: nothing is thrown through it. */
  int read_bytes(uint8_t* to, int most) {
    try {
      while (!stops()) {
        const size_t got = answer_->take_bytes(to, static_cast<size_t>(most));
        if (got > 0) return static_cast<int>(got);
        answer_->read(READ_WAIT_MS);
      }
    } catch (const Fault& fault) {
      if (fault.code == "camera.lost") return 0;  // the end of a video: its last pictures are still to come
      failed_ = fault;
    } catch (const std::exception& error) {
      failed_ = Fault{"camera.unreadable", error.what()};
    }
    return -1;
  }

  const UrlOptions options_;
  const std::string name_;
  const std::unique_ptr<HttpAnswer> answer_;
  std::string address_;  // the one that is tried
  const int64_t asked_us_;
  std::optional<Fault> failed_;
  int64_t limit_us_ = 0;
  const std::atomic<bool>* stopping_ = nullptr;

  Fault first_fault_;     // why there was no first picture yet
  int64_t first_us_ = 0;  // when it came: it waits from its opening on
  bool has_been_first_ = false;

  std::atomic<bool> is_colour_wanted_{false};
  ArrivalClock clock_;
  int64_t seq_ = -1;
  std::optional<Video> video_;  // ends before what it reads from
};

}  // namespace

std::unique_ptr<Source> make_rtsp_video(const UrlOptions& options) {
  return std::make_unique<LiveVideo>(options, nullptr, -1);
}

std::unique_ptr<Source> make_http_video(const UrlOptions& options, std::unique_ptr<HttpAnswer> answer,
                                        int64_t asked_us) {
  return std::make_unique<LiveVideo>(options, std::move(answer), asked_us);
}

}  // namespace vedette
