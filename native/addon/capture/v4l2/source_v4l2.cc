// A camera behind V4L2: opened in the mode that was asked for, with its controls set, and its pictures taken as they
// come.
#include <poll.h>

#include <cerrno>
#include <cmath>
#include <utility>

#include "huffman_tables.h"
#include "mjpeg_frame.h"
#include "source.h"
#include "v4l2_buffers.h"
#include "v4l2_colour.h"
#include "v4l2_controls.h"
#include "v4l2_crop.h"
#include "v4l2_gray.h"
#include "v4l2_modes.h"
#include "v4l2_stamp.h"

namespace vedette {
namespace {

// nothing but a picture wakes the waiter, so this bounds how late it sees `stopping`
constexpr int MAX_WAIT_MS = 100;
// buffers in a row that the driver could not give us, a second's worth: the camera is gone in all but name
constexpr int MAX_FAILURES = 30;
constexpr double OTHER_RATE = 0.02;  // 29.97 for 30 is no other

class V4l2Source : public Source {
 public:
  explicit V4l2Source(V4l2Options options) : options_(std::move(options)) {}

  SourceFormat open() override {
    const auto device = std::make_shared<V4l2Device>(options_.device);
    device_ = device;
    const DriverFacts facts = device->facts();
    if (!facts.is_capture)
      throw Fault{"camera.unreadable",
                  options_.device + " (" + facts.card +
                      ") gives no pictures that can be read; a camera may have another node beside it"};
    SourceFormat format;
    set_mode(format);
    controls_ = std::make_shared<V4l2Controls>(device, facts.card);
    set_controls(format);
    buffers_ = std::make_unique<V4l2Buffers>(device);
    format.pixel_format = format_->name;
    format.timestamp_source = stamp_source(buffers_->flags());
    format.intrinsics = options_.intrinsics;
    return format;
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    while (!stopping) {
      pollfd waiting{device_->fd(), POLLIN, 0};
      if (::poll(&waiting, 1, MAX_WAIT_MS) <= 0) continue;  // 0, or a signal
      v4l2_buffer buffer;
      const int error = buffers_->take(buffer);
      if (error == 0) return read(buffer, frame, fault);
      if (error == EAGAIN && !(waiting.revents & (POLLERR | POLLHUP))) continue;
      device_->facts();  // throws when it is gone
      if (error != EAGAIN && error != EIO && error != EPROTO)
        throw camera_fault(options_.device, "giving a picture", error);
      if (++failures_ >= MAX_FAILURES)
        throw Fault{"camera.lost",
                    "the camera at " + options_.device + " gives no pictures any more; it is opened anew"};
      if (error == EAGAIN) continue;
      fault = {"picture.corrupt", "the camera could not give a picture, as happens when a cable is loose or too long"};
      return Next::corrupt;
    }
    return Next::stopped;
  }

  void want_colour(bool wanted) override { is_colour_wanted_ = wanted; }

  std::shared_ptr<CameraControls> controls() override { return controls_; }

 private:
  /** Asks for the mode, and believes only what the driver says that it has set. */
  void set_mode(SourceFormat& format) {
    format_ = pixel_format_named(options_.pixel_format);
    if (!format_) refuse_mode("a camera's pixel format is never " + options_.pixel_format);
    read_everything(*device_);
    v4l2_format request{};
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.fmt.pix.width = static_cast<uint32_t>(options_.width);
    request.fmt.pix.height = static_cast<uint32_t>(options_.height);
    request.fmt.pix.pixelformat = format_->fourcc;
    request.fmt.pix.field = V4L2_FIELD_NONE;
    if (const int error = device_->ask(VIDIOC_S_FMT, &request)) {
      if (error != EINVAL) throw camera_fault(options_.device, "setting its mode", error);
      refuse_mode("the camera has no mode " + options_.pixel_format + " " + size_text(options_.width, options_.height));
    }
    const v4l2_pix_format& set = request.fmt.pix;  // what the sensor is made to read changes it
    const PixelFormat* set_format = pixel_format_of(set.pixelformat);
    if (!set_format || std::string(set_format->name) != format_->name ||
        set.width != static_cast<uint32_t>(options_.width) || set.height != static_cast<uint32_t>(options_.height))
      refuse_mode("the camera has no mode " + options_.pixel_format + " " + size_text(options_.width, options_.height) +
                  " (it would take " + (set_format ? set_format->name : fourcc_text(set.pixelformat)) + " " +
                  size_text(static_cast<int>(set.width), static_cast<int>(set.height)) + ")");
    format_ = set_format;
    format.applied.sensor = read_part(*device_, request, options_.crop);
    format.applied.whole_width = options_.width;
    format.applied.whole_height = options_.height;
    format.width = width_ = static_cast<int>(set.width);
    format.height = height_ = static_cast<int>(set.height);
    stride_ = static_cast<int>(set.bytesperline);
    const int min_stride = width_ * (format_->bits == 16 ? 2 : 1);
    if (format_->bits > 0 && stride_ < min_stride) stride_ = min_stride;
    format.fps = set_rate(format);
  }

  /** What the camera does not take is told, all of it in one warning, and is no reason to have no pictures. */
  void set_controls(SourceFormat& format) {
    std::string details;
    for (const ControlOutcome& outcome : controls_->apply(options_.controls))
      if (!outcome.ok()) details += (details.empty() ? "" : "; ") + outcome.detail;
    if (!details.empty()) format.warnings.push_back({"camera.control_refused", details});
  }

  double set_rate(SourceFormat& format) {
    v4l2_streamparm request{};
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.parm.capture.timeperframe = {1000, static_cast<uint32_t>(std::lround(1000 * options_.fps))};
    // it has but one rate, and does not say which
    if (device_->ask_camera(VIDIOC_S_PARM, &request) != 0) return options_.fps;
    const v4l2_fract& interval = request.parm.capture.timeperframe;
    if (interval.numerator == 0 || interval.denominator == 0) return options_.fps;
    const double fps = static_cast<double>(interval.denominator) / interval.numerator;
    if (std::fabs(fps - options_.fps) > OTHER_RATE * options_.fps)
      format.warnings.push_back({"camera.mode", "the camera gives " + fps_text(fps) +
                                                    " pictures a second in this mode, not " + fps_text(options_.fps) +
                                                    "; it has " + modes_text(list_modes(*device_))});
    return std::round(1000 * fps) / 1000;
  }

  [[noreturn]] void refuse_mode(const std::string& why) {
    throw Fault{"camera.mode", why + "; it has " + modes_text(list_modes(*device_))};
  }

  /** Takes what is in a filled buffer and gives that back at once. */
  Next read(v4l2_buffer& buffer, Frame& frame, Fault& fault) {
    failures_ = 0;
    frame.exposure_us = controls_->exposure_us();
    frame.captured_us = middle_of_exposure(buffer, buffers_->flags(), frame.exposure_us, monotonic_us());
    frame.seq = sequence_of(buffer);
    frame.width = width_;
    frame.height = height_;
    frame.has_truth = false;
    const std::string why =
        buffer.flags & V4L2_BUF_FLAG_ERROR ? "the camera marked it as damaged" : take_picture(buffer, frame);
    buffers_->give_back(buffer);
    if (!why.empty()) {
      missed_++;
      fault = {"picture.corrupt", "a picture of the camera cannot be used: " + why};
      return Next::corrupt;
    }
    frame.missed = std::exchange(missed_, 0);
    return Next::frame;
  }

  /** Why the picture cannot be used; empty: it can. */
  std::string take_picture(const v4l2_buffer& buffer, Frame& frame) {
    const uint8_t* bytes = buffers_->bytes(buffer);
    const size_t length = buffers_->filled(buffer);
    frame.is_whole_jpeg = format_->bits == 0;
    if (frame.is_whole_jpeg) {
      const MjpegFrame found = check_mjpeg(bytes, length, width_, height_);
      if (found.why.empty()) copy_jpeg_with_tables(bytes, found.length, frame.encoded);
      return found.why;
    }
    frame.encoded.clear();
    const size_t needed = gray_bytes(*format_, width_, height_, stride_);
    if (length < needed)
      return "it is cut short: it has " + std::to_string(length) + " of " + std::to_string(needed) + " bytes";
    const RawPicture raw{bytes, length, width_, height_, stride_};
    raw_to_gray(*format_, raw, frame.gray);
    const bool in_colour = is_colour_wanted_;
    if (in_colour) raw_to_chroma(*format_, raw, frame.chroma);
    else frame.chroma.clear();
    frame.is_colour_left_out = !in_colour && has_chroma(*format_);
    return "";
  }

  /**
   * Counted from the first picture. What is missing in between the camera has thrown away, or nobody fetched in time.
   */
  int64_t sequence_of(const v4l2_buffer& buffer) {
    const auto step = static_cast<int32_t>(buffer.sequence - last_sequence_);  // the driver's counter turns over
    last_sequence_ = buffer.sequence;
    if (seq_ < 0) return seq_ = 0;
    const int64_t steps = step > 0 ? step : 1;  // some drivers do not count
    missed_ += steps - 1;
    return seq_ += steps;
  }

  const V4l2Options options_;
  std::shared_ptr<const V4l2Device> device_;
  std::shared_ptr<V4l2Controls> controls_;
  std::unique_ptr<V4l2Buffers> buffers_;
  const PixelFormat* format_ = nullptr;
  int width_ = 0, height_ = 0, stride_ = 0, failures_ = 0;  // of what comes
  uint32_t last_sequence_ = 0;
  int64_t seq_ = -1, missed_ = 0;
  std::atomic<bool> is_colour_wanted_{false};
};

}  // namespace

std::unique_ptr<Source> make_v4l2_source(const V4l2Options& options) { return std::make_unique<V4l2Source>(options); }

}  // namespace vedette
