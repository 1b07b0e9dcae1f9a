// The picture that travels through a plan, and where it came from. Plain structs: no JavaScript value is ever seen by a
// worker thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"
#include "pixel_bytes.h"

namespace vedette {

/** A rigid pose: metres and a unit quaternion, scalar first. */
struct Pose {
  double x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0;
};

/** A part of a picture, in its pixels; one without a width is all of it. */
struct Crop {
  int x = 0, y = 0, width = 0, height = 0;
  bool is_whole() const { return width == 0; }
  bool fits(int of_width, int of_height) const {
    return x >= 0 && y >= 0 && width <= of_width - x && height <= of_height - y;
  }
};

/** 8-bit grey pixels, rows `stride` bytes apart. first: where the first of them lies, in what was a larger picture. */
struct GrayImage {
  int width = 0, height = 0, stride = 0;
  PixelBytes pixels;
  size_t first = 0;

  uint8_t* data() { return pixels.data() + first; }
  const uint8_t* data() const { return pixels.data() + first; }

  void resize(int new_width, int new_height) {
    width = new_width;
    height = new_height;
    stride = new_width;
    first = 0;
    pixels.resize(static_cast<size_t>(stride) * height);
  }

  /** Nothing else is left of it, and nothing is copied. The part must fit. */
  void keep(const Crop& part) {
    first += static_cast<size_t>(part.y) * stride + part.x;
    width = part.width;
    height = part.height;
  }
};

/**
 * The colour beside the grey of a picture: planes of blueness and redness (Cb and Cr, 128 is none), each with a sample
 * for 2^shift_x by 2^shift_y pixels. left, top: where in them the picture begins, in its pixels. is_bt709: as
 * televisions mix them, else as BT.601, which JPEGs and cameras follow. Empty where the source has no colour, or nobody
 * wants it.
 */
struct Chroma {
  int width = 0, height = 0, shift_x = 0, shift_y = 0, left = 0, top = 0;
  bool is_bt709 = false;
  std::vector<uint8_t> cb, cr;

  bool is_empty() const { return width == 0; }

  void resize(int new_width, int new_height, int new_shift_x, int new_shift_y) {
    width = new_width;
    height = new_height;
    shift_x = new_shift_x;
    shift_y = new_shift_y;
    left = top = 0;
    is_bt709 = false;
    cb.resize(static_cast<size_t>(width) * height);
    cr.resize(cb.size());
  }

  void clear() { width = height = 0; }

  /** As GrayImage::keep. */
  void keep(const Crop& part) {
    if (is_empty()) return;
    left += part.x;
    top += part.y;
  }
};

/**
 * Pinhole with OpenCV's distortion (k1 k2 p1 p2 k3 k4 k5 k6), OpenCV's pixel convention: centre of the top-left pixel =
 * (0, 0).
 */
struct Intrinsics {
  bool known = false;
  int width = 0, height = 0;
  double fx = 0, fy = 0, cx = 0, cy = 0;
  std::vector<double> distortion;
};

/** A tag of the field map: x out of the printed face, y left of that, z up. */
struct MapTag {
  int id = 0;
  Pose field_tag;
  std::string family{};  // empty: that of the map
  double size_m = 0;     // 0: that of the map
};

struct FieldMap {
  std::string family;
  double tag_size_m = 0.1651;
  double length_m = 0, width_m = 0;
  std::vector<MapTag> tags;

  const std::string& family_of(const MapTag& tag) const { return tag.family.empty() ? family : tag.family; }
  double size_of(const MapTag& tag) const { return tag.size_m > 0 ? tag.size_m : tag_size_m; }
};

/**
 * A tag that the synthetic camera has drawn. Corners in libapriltag's order, continuous pixel coordinates (first
 * pixel's centre = (0.5, 0.5)).
 */
struct VisibleTag {
  int id = 0;
  double distance_m = 0, visible_fraction = 1;
  double center[2] = {0, 0};
  double corners[4][2] = {};
};

/**
 * The synthetic camera's own knowledge of one frame, at its capture time. field_camera: camera body (forward, left,
 * up).
 */
struct Truth {
  Pose field_robot, field_camera;
  bool has_board = false;
  Pose camera_board;  // of the board that is held in front of it, as SyntheticBoard::pose
  std::vector<VisibleTag> visible;
};

/**
 * One captured picture. Either `gray` is filled or `encoded` holds a JPEG or PNG that is decoded by the plan's source
 * step, on the worker's time. crop: what of `encoded` the stream has; of `gray` nothing else is there. captured_us:
 * CLOCK_MONOTONIC, mid-exposure. exposure_us: how long it was exposed; 0: nobody knows. name: the file it comes from;
 * empty when it comes from none. missed: pictures since the one before that the camera took and nobody will see.
 * is_whole_jpeg: `encoded` is a JPEG that has been looked at, though not decoded. A JPEG in `encoded` has its Huffman
 * tables, also where its camera sends none. is_colour_left_out: it has colour, which nobody wanted when it was taken.
 * is_stamped_there: captured_us is what another device says that took it, and not when it came.
 */
struct Frame {
  int64_t seq = 0;
  int64_t captured_us = 0;
  int64_t exposure_us = 0;
  int64_t missed = 0;
  int width = 0, height = 0;
  std::string name;
  GrayImage gray;
  Chroma chroma;
  std::vector<uint8_t> encoded;
  bool is_whole_jpeg = false, is_colour_left_out = false, is_stamped_there = false;
  Crop crop;
  bool has_truth = false;
  Truth truth;
};

/** For sentences: 1280x800. */
inline std::string size_text(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

}  // namespace vedette
