// What travels along the edges of a plan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "frame.h"
#include "image.h"

namespace vedette {

/** Index = the `family` field of a row; the same as TAG_FAMILIES of machines/engine/result.ts. */
constexpr const char* TAG_FAMILIES[] = {"tag36h11",         "tag25h9",        "tag16h5",        "tag36h10",
                                        "tagCircle21h7",    "tagCircle49h12", "tagCustom48h12", "tagStandard41h12",
                                        "tagStandard52h13", "aruco_4x4",      "aruco_5x5",      "aruco_6x6",
                                        "aruco_7x7",        "aruco_original"};
constexpr int TAG_FAMILY_COUNT = static_cast<int>(std::size(TAG_FAMILIES));

/** The index of a family; TAG_FAMILY_COUNT: there is none of that name. */
inline int family_index(const std::string& name) {
  return static_cast<int>(std::find(TAG_FAMILIES, TAG_FAMILIES + TAG_FAMILY_COUNT, name) - TAG_FAMILIES);
}

/**
 * A tag in the picture: continuous pixel coordinates of the full source picture, corners in libapriltag's order.
 * sigma_px: the standard deviation of one coordinate of a corner.
 */
struct Detection {
  int family = 0, id = 0, hamming = 0;
  double margin = 0, sigma_px = 0;
  double center[2] = {};
  double corners[4][2] = {};
};

/**
 * Why a tag that was found has no pose. Index = the `no_pose` field of a row of tag_poses, a place in NO_POSE of
 * machines/engine/no-pose.ts.
 *
 * uncalibrated: the camera is not calibrated for pictures of this size. beyond_lens: a corner lies where the lens model
 * has no inverse. no_square: its corners are seen as no square can be.
 */
enum class NoPose { none, uncalibrated, beyond_lens, no_square };

/** A tag's corners on the ideal image plane: x = X/Z, y = Y/Z. sigma_px as in Detection. no_pose: they are nowhere. */
struct TagPoints {
  int family = 0, id = 0;
  double sigma_px = 0;
  double corners[4][2] = {};
  NoPose no_pose = NoPose::none;
};

/**
 * A tag in the optical frame, twice: a flat square seen through noise has two likely poses. Tag axes: x right, y down,
 * z into the tag. no_pose: then all of it is zeros.
 */
struct TagPose {
  int family = 0, id = 0;
  double ambiguity = 0, error_px = 0, alt_error_px = 0;
  Pose camera_tag, alt_camera_tag;
  NoPose no_pose = NoPose::none;
};

/**
 * Camera body and robot on the field. deviations: x, y, z in metres, roll, pitch, yaw in radians. field_camera,
 * field_robot: all zeros when the corners leave open where the robot is, and only its heading tells. heading_*: from
 * the corners and the robot's heading, when has_heading; deviations of x, y, z.
 */
struct FieldPose {
  int tag_count = 0;
  double span_m = 0, mean_distance_m = 0, error_px = 0, ambiguity = 0;
  Pose field_camera, field_robot;
  Pose alt_field_robot{0, 0, 0, 0, 0, 0, 0};
  double deviations[6] = {};
  bool has_heading = false;
  Pose heading_field_robot{0, 0, 0, 0, 0, 0, 0};
  double heading_deviations[3] = {};
};

/**
 * The outline of something in the picture, in continuous pixels of the full source picture. center, area_px: of the
 * enclosed area. x, y, width, height: its upright bounding box. rect: the corners of its smallest bounding rectangle,
 * clockwise as seen, from that nearest to the top left. first, count: which of the points of Contours are its outline.
 * inset_px: how far within its edge these points lie; half a pixel where they are the centres of its outermost pixels.
 */
struct Contour {
  double center[2] = {};
  double area_px = 0, x_px = 0, y_px = 0, width_px = 0, height_px = 0;
  double rect[4][2] = {};
  size_t first = 0, count = 0;
  double inset_px = 0;
};

/** Outlines, with one store for all their points. */
struct Contours {
  struct Point {
    float x = 0, y = 0;
  };
  std::vector<Contour> rows;
  std::vector<Point> points;

  void clear() {
    rows.clear();
    points.clear();
  }
};

/**
 * Something to aim at. tx, ty: degrees right of and above the optical axis. area_share: of the picture, 0 to 1.
 * skew_deg: of its rectangle, -90 to 0. corners: as Contour's rect, in pixels of the full source picture.
 * camera_target: in the optical frame, when has_pose.
 */
struct Target {
  double tx_deg = 0, ty_deg = 0, area_share = 0, skew_deg = 0;
  double center[2] = {}, width_px = 0, height_px = 0;
  double corners[4][2] = {};
  bool has_pose = false;
  double error_px = 0;
  Pose camera_target;
};

/** A circle, in continuous pixels of the full source picture. */
struct Circle {
  double center[2] = {}, radius_px = 0;
};

/**
 * Something that a model knows. label: index into the names of its classes. Box: upright, in continuous pixels of the
 * full source picture; tx, ty as Target's, of its centre.
 */
struct Object {
  int label = 0;
  double confidence = 0, center[2] = {}, width_px = 0, height_px = 0, tx_deg = 0, ty_deg = 0;
};

/** What a model takes the whole picture for. */
struct Class {
  int label = 0;
  double confidence = 0;
};

/** A code with a text. at, bytes: which of the bytes of Barcodes are its text, UTF-8. */
struct Barcode {
  double corners[4][2] = {};
  size_t at = 0, bytes = 0;
  size_t symbology = 0;  // a place in machines/engine/symbologies.ts
};

/** Codes, with one store for all their texts. */
struct Barcodes {
  std::vector<Barcode> rows;
  std::string text;

  void clear() {
    rows.clear();
    text.clear();
  }
};

/** Where a text stands in the store of those who have it. */
struct TextPart {
  size_t at = 0, bytes = 0;
};

/** What a script gave: a text, JSON, which no row or one says. */
struct Values {
  std::vector<TextPart> rows;
  std::string text;

  void clear() {
    rows.clear();
    text.clear();
  }
};

/** How bright a picture is: levels from 0 to 255, shares from 0 to 1. dark, bright: at either end of the scale. */
struct Exposure {
  double mean = 0, median = 0, p05 = 0, p95 = 0, dark_share = 0, bright_share = 0;
};

/**
 * How sharp a picture is: the variance of its Laplacian over the square of its mean level. best: since the camera was
 * opened.
 */
struct Focus {
  double sharpness = 0, best = 0;
};

using Detections = std::vector<Detection>;
using Points = std::vector<TagPoints>;
using TagPoses = std::vector<TagPose>;
/** No row or one. */
using FieldPoses = std::vector<FieldPose>;
using Targets = std::vector<Target>;
using Circles = std::vector<Circle>;
using Objects = std::vector<Object>;
using Classes = std::vector<Class>;
/** One row. */
using Exposures = std::vector<Exposure>;
/** One row. */
using FocusMetrics = std::vector<Focus>;

/** The content of a slot. Kind names its alternatives, in their order. */
using Value = std::variant<Image, Detections, Points, TagPoses, FieldPoses, Contours, Targets, Circles, Objects,
                           Classes, Barcodes, Exposures, FocusMetrics, Values>;
enum class Kind {
  image,
  detections,
  points,
  tag_poses,
  field_pose,
  contours,
  targets,
  circles,
  objects,
  classes,
  barcodes,
  exposure,
  focus,
  values
};
/** By Kind; a PortKind of machines/pipeline/kinds.ts. */
constexpr const char* KIND_NAMES[] = {"image",    "detections", "points",  "tag_poses", "field_pose",
                                      "contours", "targets",    "circles", "objects",   "classes",
                                      "barcodes", "exposure",   "focus",   "values"};

static_assert(std::size(KIND_NAMES) == std::variant_size_v<Value>);

inline Kind kind_of(const Value& value) { return static_cast<Kind>(value.index()); }

/** An empty value of that kind. */
Value empty_value(Kind kind);

}  // namespace vedette
