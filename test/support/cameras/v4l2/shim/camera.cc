#include "camera.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "real.h"

namespace shim {
namespace {

constexpr uint32_t PAGE = 4096;
constexpr uint32_t MAX_BUFFERS = 8;

template <size_t length>
void put_text(uint8_t (&field)[length], const std::string& text) {
  std::memcpy(field, text.data(), std::min(length - 1, text.size()));
}

uint32_t stride_of(uint32_t fourcc, uint32_t width) {
  if (fourcc == V4L2_PIX_FMT_MJPEG) return 0;
  return fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY || fourcc == V4L2_PIX_FMT_Y10 ? 2 * width : width;
}

uint32_t image_bytes(uint32_t fourcc, uint32_t width, uint32_t height) {
  if (fourcc == V4L2_PIX_FMT_MJPEG) return 2 * width * height;
  return fourcc == V4L2_PIX_FMT_NV12 ? width * height * 3 / 2 : stride_of(fourcc, width) * height;
}

uint32_t distance(uint32_t one, uint32_t other) { return one > other ? one - other : other - one; }

uint32_t in_steps(uint32_t side, uint32_t least, uint32_t most, uint32_t step) {
  return least + (std::clamp(side, least, most) - least) / step * step;
}

/** Nobody can write to a camera, and some programs take it for lost when it looks as if they could. */
void close_for_writers(int fd) {
  const int least = 0;
  const char bytes[4096] = {};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
  while (::send(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) continue;
}

}  // namespace

Camera::Camera(const std::string& folder, const std::string& state_path)
    : description_(read_description(folder + "/description")), pictures_(folder + "/../pictures") {
  const int fd = real().open(state_path.c_str(), O_RDWR | O_CLOEXEC);
  void* mapped = fd < 0 ? MAP_FAILED : real().mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) std::abort();
  real().close(fd);
  state_ = static_cast<State*>(mapped);
}

Camera::~Camera() {
  stream_off();
  if (owns_stream_) state_->streamer = 0;
  if (mapped_) ::munmap(mapped_, mapped_bytes_);
  if (memory_ >= 0) real().close(memory_);
  if (ours_ >= 0) real().close(ours_);
  ::munmap(state_, sizeof(State));
}

int Camera::open() {
  state_->opens++;
  if (state_->is_gone || state_->open_error) {
    errno = state_->is_gone ? ENODEV : static_cast<int>(state_->open_error);
    return -1;
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  ours_ = ends[0];
  theirs_ = ends[1];
  close_for_writers(theirs_);
  memory_ = ::memfd_create("camera", MFD_CLOEXEC);
  if (state_->width == 0) choose(description_.formats.front(), 640, 480);
  return theirs_;
}

int Camera::control(unsigned long request, void* argument) {
  if (state_->is_gone) return ENODEV;
  switch (request) {
    case VIDIOC_QUERYCAP:
      return query(*static_cast<v4l2_capability*>(argument));
    case VIDIOC_ENUM_FMT:
      return enumerate_format(*static_cast<v4l2_fmtdesc*>(argument));
    case VIDIOC_ENUM_FRAMESIZES:
      return enumerate_size(*static_cast<v4l2_frmsizeenum*>(argument));
    case VIDIOC_ENUM_FRAMEINTERVALS:
      return enumerate_interval(*static_cast<v4l2_frmivalenum*>(argument));
    case VIDIOC_G_FMT:
      return format(*static_cast<v4l2_format*>(argument), false);
    case VIDIOC_S_FMT:
      return format(*static_cast<v4l2_format*>(argument), true);
    case VIDIOC_S_INPUT:  // there is one
      return *static_cast<int*>(argument) == 0 ? 0 : EINVAL;
    case VIDIOC_G_PARM:
      return rate(*static_cast<v4l2_streamparm*>(argument), false);
    case VIDIOC_S_PARM:
      return rate(*static_cast<v4l2_streamparm*>(argument), true);
    case VIDIOC_REQBUFS:
      return request_buffers(*static_cast<v4l2_requestbuffers*>(argument));
    case VIDIOC_QUERYBUF:
      return query_buffer(*static_cast<v4l2_buffer*>(argument));
    case VIDIOC_QBUF:
      return queue(*static_cast<v4l2_buffer*>(argument));
    case VIDIOC_DQBUF:
      return dequeue(*static_cast<v4l2_buffer*>(argument));
    case VIDIOC_STREAMON:
      return stream_on();
    case VIDIOC_STREAMOFF:
      return stream_off();
    case VIDIOC_QUERY_EXT_CTRL:
    case VIDIOC_QUERYMENU:
    case VIDIOC_G_EXT_CTRLS:
    case VIDIOC_S_EXT_CTRLS:
      return ask_about_controls(request, argument);
    case VIDIOC_G_SELECTION:
      return selection(*static_cast<v4l2_selection*>(argument), false);
    case VIDIOC_S_SELECTION:
      return selection(*static_cast<v4l2_selection*>(argument), true);
    default:
      return ENOTTY;
  }
}

int Camera::query(v4l2_capability& out) {
  if (state_->query_delay_ms > 0) {
    const timespec pause{state_->query_delay_ms / 1000, state_->query_delay_ms % 1000 * 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  out = {};
  put_text(out.driver, description_.driver);
  put_text(out.card, description_.card);
  put_text(out.bus_info, description_.bus_info);
  out.version = 6 << 16 | 1 << 8;
  out.device_caps = description_.caps;
  out.capabilities = description_.caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

int Camera::enumerate_format(v4l2_fmtdesc& out) {
  if (out.type != V4L2_BUF_TYPE_VIDEO_CAPTURE || out.index >= description_.formats.size()) return EINVAL;
  out.pixelformat = description_.formats[out.index].fourcc;
  out.flags = out.pixelformat == V4L2_PIX_FMT_MJPEG ? V4L2_FMT_FLAG_COMPRESSED : 0;
  return 0;
}

int Camera::enumerate_size(v4l2_frmsizeenum& out) {
  const Format* format = format_of(out.pixel_format);
  if (!format) return EINVAL;
  if (format->is_stepwise) {
    if (out.index > 0) return EINVAL;
    out.type = V4L2_FRMSIZE_TYPE_STEPWISE;
    out.stepwise = {format->min_width,  format->max_width,  format->step_width,
                    format->min_height, format->max_height, format->step_height};
    return 0;
  }
  if (out.index >= format->sizes.size()) return EINVAL;
  out.type = V4L2_FRMSIZE_TYPE_DISCRETE;
  out.discrete = {format->sizes[out.index].width, format->sizes[out.index].height};
  return 0;
}

int Camera::enumerate_interval(v4l2_frmivalenum& out) {
  const Format* format = format_of(out.pixel_format);
  if (!format) return EINVAL;
  if (format->is_stepwise) {
    if (out.index > 0) return EINVAL;
    out.type = V4L2_FRMIVAL_TYPE_CONTINUOUS;
    out.stepwise.min = {1000, format->max_fps_milli};
    out.stepwise.max = {1000, format->min_fps_milli};
    out.stepwise.step = {1, 1};
    return 0;
  }
  for (const Size& size : format->sizes) {
    if (size.width != out.width || size.height != out.height || out.index >= size.fps_milli.size()) continue;
    out.type = V4L2_FRMIVAL_TYPE_DISCRETE;
    out.discrete = {1000, size.fps_milli[out.index]};
    return 0;
  }
  return EINVAL;
}

int Camera::format(v4l2_format& wish, bool is_set) {
  if (wish.type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  if (is_set) {
    if (state_->set_format_error) return static_cast<int>(state_->set_format_error);
    if (is_others() || !buffers_.empty()) return EBUSY;
    const Format* format = format_of(wish.fmt.pix.pixelformat);
    const bool is_part = state_->keeps_pixels && format && wish.fmt.pix.width == state_->crop_width &&
                         wish.fmt.pix.height == state_->crop_height;
    if (is_part) state_->fourcc = format->fourcc;
    if (!is_part) choose(format ? *format : description_.formats.front(), wish.fmt.pix.width, wish.fmt.pix.height);
    if (!is_part && state_->keeps_pixels)
      set_crop({0, 0, static_cast<uint32_t>(state_->width), static_cast<uint32_t>(state_->height)});
  }
  wish.fmt.pix = {};
  wish.fmt.pix.width = static_cast<uint32_t>(state_->width);
  wish.fmt.pix.height = static_cast<uint32_t>(state_->height);
  wish.fmt.pix.pixelformat = static_cast<uint32_t>(state_->fourcc);
  wish.fmt.pix.field = V4L2_FIELD_NONE;
  wish.fmt.pix.bytesperline = stride_of(wish.fmt.pix.pixelformat, wish.fmt.pix.width);
  wish.fmt.pix.sizeimage = image_bytes(wish.fmt.pix.pixelformat, wish.fmt.pix.width, wish.fmt.pix.height);
  return 0;
}

/** As a driver does: never refused, always the nearest there is. */
void Camera::choose(const Format& format, uint32_t width, uint32_t height) {
  state_->fourcc = format.fourcc;
  if (format.is_stepwise) {
    state_->width = in_steps(width, format.min_width, format.max_width, format.step_width);
    state_->height = in_steps(height, format.min_height, format.max_height, format.step_height);
    state_->fps_milli = format.max_fps_milli;
    return;
  }
  const auto nearest =
      std::min_element(format.sizes.begin(), format.sizes.end(), [&](const Size& one, const Size& other) {
        return distance(one.width, width) + distance(one.height, height) <
               distance(other.width, width) + distance(other.height, height);
      });
  state_->width = nearest->width;
  state_->height = nearest->height;
  state_->fps_milli = nearest->fps_milli.front();
}

int Camera::rate(v4l2_streamparm& wish, bool is_set) {
  if (wish.type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  const v4l2_fract wanted = wish.parm.capture.timeperframe;
  if (is_set && wanted.numerator > 0) {
    if (is_others()) return EBUSY;
    const auto wanted_milli = static_cast<uint32_t>(1000ull * wanted.denominator / wanted.numerator);
    const Format* format = format_of(static_cast<uint32_t>(state_->fourcc));
    if (format->is_stepwise) state_->fps_milli = std::clamp(wanted_milli, format->min_fps_milli, format->max_fps_milli);
    for (const Size& size : format->sizes) {
      if (size.width != state_->width || size.height != state_->height) continue;
      state_->fps_milli = *std::min_element(
          size.fps_milli.begin(), size.fps_milli.end(),
          [&](uint32_t one, uint32_t other) { return distance(one, wanted_milli) < distance(other, wanted_milli); });
    }
  }
  wish.parm = {};
  wish.parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
  wish.parm.capture.timeperframe = {1000, static_cast<uint32_t>(state_->fps_milli)};
  return 0;
}

int Camera::selection(v4l2_selection& wish, bool is_set) {
  if (description_.sensor_width == 0) return ENOTTY;
  if (wish.type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  const v4l2_rect whole{0, 0, description_.sensor_width, description_.sensor_height};
  if (wish.target == V4L2_SEL_TGT_CROP_BOUNDS || wish.target == V4L2_SEL_TGT_CROP_DEFAULT) {
    if (is_set) return EINVAL;
    wish.r = whole;
    return 0;
  }
  if (wish.target != V4L2_SEL_TGT_CROP) return EINVAL;
  if (state_->crop_width == 0) {
    state_->crop_width = whole.width;
    state_->crop_height = whole.height;
  }
  if (is_set) {
    if (is_others()) return EBUSY;
    if (state_->keeps_pixels && !buffers_.empty()) return EBUSY;
    v4l2_rect part = in_crop_steps(wish.r);
    part.width = std::min(part.width, whole.width);
    part.height = std::min(part.height, whole.height);
    part.left = std::clamp<int32_t>(part.left, 0, static_cast<int32_t>(whole.width - part.width));
    part.top = std::clamp<int32_t>(part.top, 0, static_cast<int32_t>(whole.height - part.height));
    set_crop(part);
    if (state_->keeps_pixels) {
      state_->width = part.width;
      state_->height = part.height;
    }
  }
  wish.r = {static_cast<int32_t>(state_->crop_x), static_cast<int32_t>(state_->crop_y),
            static_cast<uint32_t>(state_->crop_width), static_cast<uint32_t>(state_->crop_height)};
  return 0;
}

void Camera::set_crop(const v4l2_rect& part) {
  state_->crop_x = part.left;
  state_->crop_y = part.top;
  state_->crop_width = part.width;
  state_->crop_height = part.height;
}

/** Never less than what is wanted. */
v4l2_rect Camera::in_crop_steps(const v4l2_rect& wanted) const {
  const auto step = static_cast<int32_t>(state_->crop_step);
  if (step < 2) return wanted;
  const auto below = [step](int32_t at) { return at / step * step; };
  const auto above = [step](int32_t at) { return (at + step - 1) / step * step; };
  const int32_t left = below(wanted.left), top = below(wanted.top);
  return {left, top, static_cast<uint32_t>(above(wanted.left + static_cast<int32_t>(wanted.width)) - left),
          static_cast<uint32_t>(above(wanted.top + static_cast<int32_t>(wanted.height)) - top)};
}

/** Another program, or another opening in this one, has the stream; one whose process has died has not. */
bool Camera::is_others() const {
  const auto streamer = static_cast<pid_t>(state_->streamer);
  return !owns_stream_ && streamer != 0 && (::kill(streamer, 0) == 0 || errno != ESRCH);
}

const Format* Camera::format_of(uint32_t fourcc) const {
  const auto found = std::find_if(description_.formats.begin(), description_.formats.end(),
                                  [&](const Format& format) { return format.fourcc == fourcc; });
  return found == description_.formats.end() ? nullptr : &*found;
}

int Camera::request_buffers(v4l2_requestbuffers& wish) {
  if (wish.type != V4L2_BUF_TYPE_VIDEO_CAPTURE || wish.memory != V4L2_MEMORY_MMAP) return EINVAL;
  if (wish.count > 0 && state_->request_buffers_error) return static_cast<int>(state_->request_buffers_error);
  if (is_others()) return EBUSY;
  if (is_streaming_) return EBUSY;
  if (mapped_) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
  buffers_.clear();
  waiting_.clear();
  filled_.clear();
  wish.count = std::min(wish.count, MAX_BUFFERS);
  owns_stream_ = wish.count > 0;
  state_->streamer = owns_stream_ ? ::getpid() : 0;
  if (wish.count == 0) return 0;
  buffers_.resize(wish.count);
  const uint32_t image = image_bytes(static_cast<uint32_t>(state_->fourcc), static_cast<uint32_t>(state_->width),
                                     static_cast<uint32_t>(state_->height));
  buffer_bytes_ = (image + PAGE - 1) / PAGE * PAGE;
  mapped_bytes_ = static_cast<size_t>(wish.count) * buffer_bytes_;
  if (::ftruncate(memory_, static_cast<off_t>(mapped_bytes_)) != 0) return ENOMEM;
  mapped_ = static_cast<uint8_t*>(real().mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0));
  return 0;
}

uint32_t Camera::stamp_flags() const {
  if (state_->stamps == 2) return V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN;
  return V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC |
         (state_->stamps == 0 ? V4L2_BUF_FLAG_TSTAMP_SRC_SOE : V4L2_BUF_FLAG_TSTAMP_SRC_EOF);
}

int Camera::query_buffer(v4l2_buffer& out) {
  if (out.index >= buffers_.size()) return EINVAL;
  out.length = buffer_bytes_;
  out.m.offset = out.index * buffer_bytes_;
  out.flags = V4L2_BUF_FLAG_MAPPED | stamp_flags();
  return 0;
}

int Camera::queue(v4l2_buffer& given) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (given.index >= buffers_.size() || buffers_[given.index].is_queued) return EINVAL;
  buffers_[given.index].is_queued = true;
  waiting_.push_back(given.index);
  return 0;
}

int Camera::dequeue(v4l2_buffer& out) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_streaming_) return EINVAL;
  if (filled_.empty()) return EAGAIN;
  if (state_->dequeue_errors > 0) {
    state_->dequeue_errors--;
    return static_cast<int>(state_->dequeue_error);
  }
  char byte;
  if (::recv(theirs_, &byte, 1, MSG_DONTWAIT) != 1) return EAGAIN;
  const uint32_t index = filled_.front();
  filled_.pop_front();
  buffers_[index].is_queued = false;
  out = buffers_[index].filled;
  state_->pictures++;
  return 0;
}

int Camera::stream_on() {
  if (buffers_.empty()) return EINVAL;
  if (state_->stream_on_error) return static_cast<int>(state_->stream_on_error);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_streaming_) return 0;
  is_streaming_ = true;
  state_->streams++;
  state_->sequence = -1;
  state_->pictures_due = 0;
  thread_ = std::thread([this] { run(); });
  return 0;
}

int Camera::stream_off() {
  join();
  const std::lock_guard<std::mutex> lock(mutex_);
  char byte;
  while (theirs_ >= 0 && ::recv(theirs_, &byte, 1, MSG_DONTWAIT) == 1) {
  }
  for (Buffer& buffer : buffers_) buffer.is_queued = false;
  waiting_.clear();
  filled_.clear();
  return 0;
}

void Camera::join() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_streaming_ = false;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

int64_t now_us() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

void Camera::run() {
  int64_t due_us = now_us();
  int64_t given = 0;
  while (true) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      // Looked after every few milliseconds: a test that writes into a file can wake nobody.
      const auto is_due = [&] {
        return !state_->is_hung && (state_->is_paced_by_hand ? given < state_->pictures_due : now_us() >= due_us);
      };
      while (is_streaming_ && !state_->is_gone && !is_due()) {
        const int64_t left_us =
            state_->is_hung || state_->is_paced_by_hand ? 2000 : std::clamp<int64_t>(due_us - now_us(), 50, 5000);
        stopped_.wait_for(lock, std::chrono::microseconds(left_us));
      }
      if (!is_streaming_) return;
      if (state_->is_gone) return hang_up();
    }
    given++;
    take_picture(state_->is_paced_by_hand ? now_us() : due_us);
    due_us = std::max(due_us + 1'000'000'000 / state_->fps_milli,
                      now_us() - 1'000'000);  // what the machine kept from being taken is made up for, up to a second
  }
}

void Camera::take_picture(int64_t due_us) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t sequence = ++state_->sequence;
  if (state_->lost_pictures > 0) {
    state_->lost_pictures--;
    return;
  }
  if (waiting_.empty()) return;  // nobody has given a buffer back in time
  const uint32_t index = waiting_.front();
  waiting_.pop_front();
  fill(buffers_[index], sequence, due_us - state_->exposure_us);
  buffers_[index].filled.index = index;
  filled_.push_back(index);
  const char byte = 1;
  if (::send(ours_, &byte, 1, MSG_NOSIGNAL) != 1) hang_up();
}

void Camera::fill(Buffer& buffer, int64_t sequence, int64_t exposed_us) {
  uint8_t* bytes = mapped_ + static_cast<size_t>(&buffer - buffers_.data()) * buffer_bytes_;
  Painting painting{state_->tag_id, static_cast<uint32_t>(state_->fourcc), static_cast<int>(state_->width),
                    static_cast<int>(state_->height)};
  if (state_->keeps_pixels && state_->crop_width > 0) {
    painting.left = static_cast<int>(state_->crop_x);
    painting.top = static_cast<int>(state_->crop_y);
    painting.whole_width = static_cast<int>(description_.sensor_width);
    painting.whole_height = static_cast<int>(description_.sensor_height);
  }
  const std::vector<uint8_t>& picture = pictures_.picture(sequence, state_->pictures_version, painting);
  size_t used = std::min<size_t>(picture.size(), buffer_bytes_);
  if (state_->short_pictures > 0) {
    state_->short_pictures--;
    used /= 2;
  }
  std::memcpy(bytes, picture.data(), used);
  const size_t padding = std::min<size_t>(static_cast<size_t>(state_->padding_bytes), buffer_bytes_ - used);
  std::memset(bytes + used, 0, padding);

  buffer.filled = {};
  buffer.filled.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.filled.memory = V4L2_MEMORY_MMAP;
  buffer.filled.bytesused = static_cast<uint32_t>(used + padding);
  buffer.filled.length = buffer_bytes_;
  buffer.filled.sequence = static_cast<uint32_t>(sequence);
  buffer.filled.field = V4L2_FIELD_NONE;
  buffer.filled.flags = V4L2_BUF_FLAG_MAPPED | stamp_flags();
  if (state_->damaged_pictures > 0) {
    state_->damaged_pictures--;
    buffer.filled.flags |= V4L2_BUF_FLAG_ERROR;
  }
  if (state_->stamps != 2) {
    buffer.filled.timestamp.tv_sec = exposed_us / 1'000'000;
    buffer.filled.timestamp.tv_usec = exposed_us % 1'000'000;
  }
  state_->taken[sequence % MAX_STAMPS] = {sequence, exposed_us};
}

/** The program's end becomes readable and is hung up. */
void Camera::hang_up() { ::shutdown(ours_, SHUT_RDWR); }

}  // namespace shim
