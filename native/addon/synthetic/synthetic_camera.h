// The synthetic camera without a clock: the picture and the truth of any frame, by its index.
#pragma once

#include <optional>
#include <vector>

#include "source.h"
#include "synthetic_background.h"
#include "synthetic_blur.h"
#include "synthetic_board.h"
#include "synthetic_draw.h"
#include "synthetic_lens.h"
#include "synthetic_sheet.h"
#include "synthetic_trajectory.h"

namespace vedette {

/** Equal options and index give equal pictures, whatever was rendered before. Not for use by two threads at once. */
class SyntheticCamera {
 public:
  /** Throws Fault `camera.unreadable` when the map names tags that do not exist. */
  explicit SyntheticCamera(const SyntheticOptions& options);
  SyntheticCamera(const SyntheticCamera&) = delete;  // its parts refer to its lens
  SyntheticCamera& operator=(const SyntheticCamera&) = delete;

  /** As it says they are; not known: it says nothing. */
  const Intrinsics& intrinsics() const { return intrinsics_; }

  /** Whether frames are counted from the zero of the clock, as a drive's are, and not from the start. */
  bool is_by_clock() const { return options_.motion == "drive"; }

  /** The middle of its exposure after the start, or after the zero of the clock. */
  double seconds_of(int64_t index) const { return (static_cast<double>(index) + phase_) / options_.fps; }

  /** Fills `gray`, `truth`, the sizes and `seq`, which is the index. */
  void render(int64_t index, Frame& frame);

 private:
  Pose camera_at(double seconds) const { return compose(trajectory_(seconds), mount_); }
  /** A hand that goes from view to view at once does so between two pictures. */
  Pose held_at(double seconds) const { return hand_(seconds + 0.5 / options_.fps); }
  Pose sheet_camera_at(const Sheet& sheet, double seconds) const;
  void look_at(const Sheet& sheet, double seconds);
  int instants_of(const Sheet& sheet, double seconds) const;
  void tell_truth(const Pose& field_camera, Truth& truth) const;
  bool is_shown(double u, double v) const;
  double visible_share(size_t order, const Pose& optical_tag) const;
  void add_noise(int64_t index, GrayImage& picture) const;

  /** A sheet in the picture, seen from the middle of the exposure. */
  struct Seen {
    const Sheet* sheet;
    SheetView view;
  };

  const SyntheticOptions options_;
  const Intrinsics intrinsics_;
  const Pose mount_;    // where it really sits
  const double phase_;  // of a frame time, by which frames are late
  const Lens lens_;
  const Lighting exposure_;
  const std::vector<Sheet> sheets_;
  std::optional<Sheet> board_;
  HandMotion hand_;
  const Trajectory trajectory_;
  Background background_;
  SheetPainter painter_;
  Blur blur_;
  std::vector<int8_t> noise_;
  std::vector<Seen> seen_;  // of the last frame, farthest first
};

}  // namespace vedette
