// What travels along the edges of a plan.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "frame.h"

namespace vedette {

/** Index = the `family` field of a row; the same as TAG_FAMILIES of machines/engine/result.ts. */
constexpr const char* TAG_FAMILIES[] = {"tag36h11", "tag25h9", "tag16h5"};
constexpr int TAG_FAMILY_COUNT = 3;

/**
 * Grey pixels that somebody else owns, and where they lie in the source picture: source x = scale_x * x + offset_x, in continuous pixel
 * coordinates (first pixel's centre = 0.5). They live until the node that made them runs again.
 */
struct Image {
  const uint8_t* pixels = nullptr;
  int width = 0, height = 0, stride = 0;
  double scale_x = 1, scale_y = 1, offset_x = 0, offset_y = 0;
};

/**
 * A tag in the picture: continuous pixel coordinates of the full source picture, corners in libapriltag's order. sigma_px: the standard deviation of
 * one coordinate of a corner.
 */
struct Detection {
  int family = 0, id = 0, hamming = 0;
  double margin = 0, sigma_px = 0;
  double center[2] = {};
  double corners[4][2] = {};
};

/** A tag's corners on the ideal image plane: x = X/Z, y = Y/Z. sigma_px as in Detection. */
struct TagPoints {
  int family = 0, id = 0;
  double sigma_px = 0;
  double corners[4][2] = {};
};

/** A tag in the optical frame, twice: a flat square seen through noise has two likely poses. Tag axes: x right, y down, z into the tag. */
struct TagPose {
  int family = 0, id = 0;
  double ambiguity = 0, error_px = 0, alt_error_px = 0;
  Pose camera_tag, alt_camera_tag;
};

/** Camera body and robot on the field. deviations: x, y, z in metres, roll, pitch, yaw in radians. */
struct FieldPose {
  int tag_count = 0;
  double span_m = 0, mean_distance_m = 0, error_px = 0, ambiguity = 0;
  Pose field_camera, field_robot;
  Pose alt_field_robot{0, 0, 0, 0, 0, 0, 0};
  double deviations[6] = {};
};

using Detections = std::vector<Detection>;
using Points = std::vector<TagPoints>;
using TagPoses = std::vector<TagPose>;
/** No row or one. */
using FieldPoses = std::vector<FieldPose>;

/** The content of a slot. Kind names its alternatives, in their order. */
using Value = std::variant<Image, Detections, Points, TagPoses, FieldPoses>;
enum class Kind { image, detections, points, tag_poses, field_pose };
/** By Kind; a PortKind of machines/pipeline/graph.ts. */
constexpr const char* KIND_NAMES[] = {"image", "detections", "points", "tag_poses", "field_pose"};

inline Kind kind_of(const Value& value) { return static_cast<Kind>(value.index()); }

}  // namespace vedette
