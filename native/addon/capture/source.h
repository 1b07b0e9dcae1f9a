// A capture backend: hands out pictures at its own pace. More backends follow; this interface is what they share.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frame.h"
#include "media_file.h"
#include "source_clock.h"
#include "v4l2_control.h"

namespace vedette {

/**
 * A fault that crosses to JavaScript: a stable code and a sentence. Thrown by value inside the addon, never through a
 * JavaScript frame.
 */
struct Fault {
  std::string code;
  std::string detail;
};

/**
 * What became of a wanted crop. crop: what the pictures are of the mode's, which has whole_width x whole_height; whole:
 * there is none. sensor: what the camera reads of it; whole: everything.
 */
struct AppliedCrop {
  Crop crop, sensor;
  int whole_width = 0, whole_height = 0;
};

/**
 * What a source says of itself when opened. width, height: of its pictures. pixel_format: gray8, jpeg or png, or that
 * of a camera's mode. timestamp_source: what the capture times rest on; `computed`, `file`, or one of v4l2_stamp.h.
 * warnings: what is not as it was asked for, and is no reason not to go on.
 */
struct SourceFormat {
  int width = 0, height = 0;
  double fps = 0;
  std::string pixel_format;
  Intrinsics intrinsics;
  std::string timestamp_source;
  std::vector<Fault> warnings;
  AppliedCrop applied;
};

/**
 * The controls of an open camera: brightness, exposure and their like. Any thread, and also when the source is gone by
 * then.
 */
class CameraControls {
 public:
  virtual ~CameraControls() = default;
  virtual std::vector<Control> list() = 0;
  virtual ControlOutcome set(uint32_t id, int64_t value) = 0;
};

enum class Next { frame, ended, corrupt, stopped };

class Source {
 public:
  virtual ~Source() = default;

  /**
   * Opens the device or files. Throws Fault (`camera.missing`, `camera.unreadable`, and of a camera `camera.busy`,
   * `camera.mode`, `camera.no_bandwidth`).
   */
  virtual SourceFormat open() = 0;

  /**
   * Waits for the next picture and fills `frame`, reusing its buffers. Runs on the capture thread. Returns `corrupt`
   * with `fault` filled for a picture that is skipped, `ended` after the last one, `stopped` soon after `stopping`
   * turns true. Throws Fault (`camera.lost`) when the device is gone.
   */
  virtual Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) = 0;

  /**
   * Whether Frame::chroma is read, of the pictures from the next on; at first it is not. What comes encoded is not
   * concerned. Any thread, at any time.
   */
  virtual void want_colour(bool) {}

  /** How many pictures there are until they repeat or end; 0: nobody knows. */
  virtual size_t pictures() const { return 0; }

  /** Of an open source; nullptr: it has none. */
  virtual std::shared_ptr<CameraControls> controls() { return nullptr; }
};

/** How a robot drives that several synthetic cameras share. */
struct SyntheticDrive {
  uint32_t seed = 1;
  double speed_m_s = 2, spin_deg_s = 90;
};

/** A tag that hangs elsewhere than the map says. offset: in the axes of the tag, from where the map says. */
struct TagOffset {
  int id = 0;
  Pose offset;
};

/**
 * What is otherwise than it is said to be. mount: where the camera sits, seen from where it is said to. lens: of the
 * pictures as they come; not known: as it is said to be. lens_share: of the focal length. map_m, map_deg: one sigma of
 * each axis of each tag.
 */
struct SyntheticFaults {
  Pose mount;
  Intrinsics lens;
  double lens_share = 0, map_m = 0, map_deg = 0;
  uint32_t map_seed = 1;
  std::vector<TagOffset> tags;
};

/**
 * A calibration board in front of a synthetic camera. kind: charuco, chessboard or tag_grid. family: of its markers.
 * columns, rows: squares, or tags. square_width_m, square_height_m: as printed; of a grid from tag to tag. bend: by how
 * much its middle lies behind its sides. pose: of its middle in the camera body, with the axes of the camera where it
 * is held squarely; without one it is held as `views` says (good, frontal, small), each view for hold_s, and takes
 * move_s to the next.
 */
struct SyntheticBoard {
  std::string kind = "charuco", family = "aruco_4x4";
  int columns = 11, rows = 7;
  bool is_old_layout = false;
  double square_width_m = 0.024, square_height_m = 0.024;
  double bend_width_m = 0, bend_height_m = 0;
  std::string views = "good";
  double hold_s = 1, move_s = 0.4;
  bool has_pose = false;
  Pose pose;
};

/** Parameters of the synthetic camera; see machines/stream/manifest.ts for their meaning and range. */
struct SyntheticOptions {
  int width = 1280, height = 800;
  double fps = 30;
  uint32_t seed = 1;
  std::string motion = "patrol";
  double speed_m_s = 0.8, noise = 2, exposure_us = 4000, light = 1, vignetting = 0.25, occlusion = 0, blur_px = 0;
  bool has_pose = false;
  Pose pose;             // field_robot when still
  SyntheticDrive drive;  // when driving
  SyntheticFaults faults;
  std::optional<SyntheticBoard> board;
  Pose mount;             // camera body on the robot, as it is said to be
  Crop crop;              // what can be seen where is told of this part
  Intrinsics intrinsics;  // as they are said to be; not known: the camera's own, or nobody knows a faulty lens
  FieldMap map;
};
std::unique_ptr<Source> make_synthetic_source(const SyntheticOptions& options);

struct ImagesOptions {
  std::vector<std::string> paths;  // a folder, a file, or a list of files
  double fps = 30;
  bool loop = true;
  Intrinsics intrinsics;
  MediaRoots media_roots;
};
std::unique_ptr<Source> make_images_source(const ImagesOptions& options);

/**
 * A video. is_fast: as fast as its pictures are taken, instead of at the rate at which they were. video_library: see
 * video_library.h.
 */
struct FileOptions {
  std::string path;
  bool is_fast = false, loop = true;
  Intrinsics intrinsics;
  MediaRoots media_roots;
  std::string video_library;
};
std::unique_ptr<Source> make_file_source(const FileOptions& options);

/**
 * A camera on the network: live JPEGs over HTTP, or a video over HTTP or RTSP. fps: what it is said to give. clock: of
 * the device whose live pictures these are; nullptr: nobody knows it. video_library: see video_library.h.
 */
struct UrlOptions {
  std::string url, username, password, video_library;
  std::shared_ptr<const SourceClock> clock;
  double fps = 30;
  Intrinsics intrinsics;
};
std::unique_ptr<Source> make_url_source(const UrlOptions& options);

/**
 * A camera and the mode in which it is opened. device: the path of its node. controls: what is set after each opening.
 * crop: no more of its picture need come.
 */
struct V4l2Options {
  std::string device, pixel_format;
  int width = 0, height = 0;
  double fps = 30;
  std::vector<ControlRequest> controls;
  Crop crop;
  Intrinsics intrinsics;
};
std::unique_ptr<Source> make_v4l2_source(const V4l2Options& options);

/**
 * A part of the pictures of another source, which may have left out some of the rest already; all of them when `crop`
 * is whole. Its intrinsics are the other one's, as the part sees them. open() throws Fault `camera.mode` for a part
 * that does not lie in the picture.
 */
std::unique_ptr<Source> cropped(std::unique_ptr<Source> source, const Crop& crop);

}  // namespace vedette
