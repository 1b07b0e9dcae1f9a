// The picture that travels through a plan, and where it came from. Plain structs: no JavaScript value is ever seen by a worker thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vedette {

/** A rigid pose: metres and a unit quaternion, scalar first. */
struct Pose {
  double x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0;
};

/** 8-bit grey pixels, rows `stride` bytes apart. */
struct GrayImage {
  int width = 0, height = 0, stride = 0;
  std::vector<uint8_t> pixels;

  void resize(int new_width, int new_height) {
    width = new_width;
    height = new_height;
    stride = new_width;
    pixels.resize(static_cast<size_t>(stride) * height);
  }
};

/** Pinhole with OpenCV's distortion (k1 k2 p1 p2 k3 k4 k5 k6), OpenCV's pixel convention: centre of the top-left pixel = (0, 0). */
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
};

struct FieldMap {
  std::string family;
  double tag_size_m = 0.1651;
  double length_m = 0, width_m = 0;
  std::vector<MapTag> tags;
};

/** A tag that the synthetic camera has drawn. Corners in libapriltag's order, continuous pixel coordinates (first pixel's centre = (0.5, 0.5)). */
struct VisibleTag {
  int id = 0;
  double distance_m = 0, visible_fraction = 1;
  double center[2] = {0, 0};
  double corners[4][2] = {};
};

/** The synthetic camera's own knowledge of one frame, at its capture time. field_camera: camera body (forward, left, up). */
struct Truth {
  Pose field_robot, field_camera;
  std::vector<VisibleTag> visible;
};

/**
 * One captured picture. Either `gray` is filled or `encoded` holds a JPEG or PNG that is decoded by the plan's source step, on the worker's time.
 * captured_us: CLOCK_MONOTONIC, mid-exposure. name: the file it comes from; empty when it comes from none. missed: pictures since the one before that
 * the camera took and nobody will see. is_whole_jpeg: `encoded` is a JPEG of this size that has been looked at, though not decoded.
 */
struct Frame {
  int64_t seq = 0;
  int64_t captured_us = 0;
  int64_t missed = 0;
  int width = 0, height = 0;
  std::string name;
  GrayImage gray;
  std::vector<uint8_t> encoded;
  bool is_whole_jpeg = false;
  bool has_truth = false;
  Truth truth;
};

/** Now, CLOCK_MONOTONIC, in microseconds. */
int64_t monotonic_us();

}  // namespace vedette
