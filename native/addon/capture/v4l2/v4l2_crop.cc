#include "v4l2_crop.h"

#include <string>

namespace vedette {
namespace {

bool is_same(const v4l2_rect& one, const v4l2_rect& other) {
  return one.left == other.left && one.top == other.top && one.width == other.width && one.height == other.height;
}

bool has_size(const v4l2_rect& rect, const v4l2_pix_format& pix) {
  return rect.width == pix.width && rect.height == pix.height;
}

/** Both in pixels of the sensor. */
bool covers(const v4l2_rect& rect, const v4l2_rect& part) {
  const auto end = [](int32_t from, uint32_t length) { return static_cast<int64_t>(from) + length; };
  return rect.left <= part.left && rect.top <= part.top && end(rect.left, rect.width) >= end(part.left, part.width) &&
         end(rect.top, rect.height) >= end(part.top, part.height);
}

/** False: there is no such target. */
bool ask_selection(const V4l2Device& device, uint32_t target, v4l2_rect& rect) {
  v4l2_selection asked{};
  asked.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  asked.target = target;
  if (device.ask(VIDIOC_G_SELECTION, &asked) != 0) return false;
  rect = asked.r;
  return true;
}

/** False: the driver has refused. flags: how it may round. rect: what it says that it has set. */
bool select_crop(const V4l2Device& device, uint32_t flags, v4l2_rect& rect) {
  v4l2_selection request{};
  request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  request.target = V4L2_SEL_TGT_CROP;
  request.flags = flags;
  request.r = rect;
  if (device.ask(VIDIOC_S_SELECTION, &request) != 0) return false;
  rect = request.r;
  return true;
}

/** Pictures of the size of what is read, pixel by pixel; read back, as a driver may answer one thing and do another. */
bool gives_part(const V4l2Device& device, const v4l2_rect& read, v4l2_format& format) {
  const uint32_t pixel_format = format.fmt.pix.pixelformat;
  format.fmt.pix.width = read.width;
  format.fmt.pix.height = read.height;
  format.fmt.pix.bytesperline = 0;
  format.fmt.pix.sizeimage = 0;
  if (device.ask(VIDIOC_S_FMT, &format) != 0) return false;
  v4l2_rect back{};
  return format.fmt.pix.pixelformat == pixel_format && has_size(read, format.fmt.pix) &&
         ask_selection(device, V4L2_SEL_TGT_CROP, back) && is_same(back, read);
}

void take_back(const V4l2Device& device, v4l2_rect everything, v4l2_format mode) {
  const v4l2_pix_format before = mode.fmt.pix;
  select_crop(device, 0, everything);
  const bool is_set = device.ask(VIDIOC_S_FMT, &mode) == 0 && mode.fmt.pix.pixelformat == before.pixelformat &&
                      mode.fmt.pix.width == before.width && mode.fmt.pix.height == before.height;
  v4l2_rect back{};
  if (is_set && ask_selection(device, V4L2_SEL_TGT_CROP, back) && has_size(back, before)) return;
  throw Fault{"camera.mode", "the camera at " + device.path() +
                                 " does not go back to its whole picture after a crop that it could not do; pull its "
                                 "cable and put it back, and take the crop off"};
}

}  // namespace

void read_everything(const V4l2Device& device) {
  v4l2_rect usual{}, now{};
  if (!ask_selection(device, V4L2_SEL_TGT_CROP_DEFAULT, usual) || !ask_selection(device, V4L2_SEL_TGT_CROP, now) ||
      is_same(usual, now))
    return;
  select_crop(device, 0, usual);
}

Crop read_part(const V4l2Device& device, v4l2_format& set, const Crop& part) {
  v4l2_rect everything{};
  if (part.is_whole() || !ask_selection(device, V4L2_SEL_TGT_CROP, everything) || !has_size(everything, set.fmt.pix))
    return {};
  const v4l2_rect wanted{everything.left + part.x, everything.top + part.y, static_cast<uint32_t>(part.width),
                         static_cast<uint32_t>(part.height)};
  if (!covers(everything, wanted)) return {};  // who asked for it says so
  v4l2_rect read = wanted;
  if (!select_crop(device, V4L2_SEL_FLAG_GE, read) || is_same(read, everything)) return {};
  v4l2_format smaller = set;
  if (covers(read, wanted) && covers(everything, read) && gives_part(device, read, smaller)) {
    set = smaller;
    return {read.left - everything.left, read.top - everything.top, static_cast<int>(read.width),
            static_cast<int>(read.height)};
  }
  take_back(device, everything, set);
  return {};
}

}  // namespace vedette
