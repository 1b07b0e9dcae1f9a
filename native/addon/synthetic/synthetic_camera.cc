#include "synthetic_camera.h"

#include <algorithm>
#include <cmath>

#include "pose_math.h"
#include "synthetic_faults.h"
#include "synthetic_random.h"

namespace vedette {
namespace {

constexpr uint64_t PHASE = 13;          // what is drawn of the seed
constexpr size_t NOISE_TILE = 1 << 16;  // each row of each frame starts somewhere else in it
constexpr int MAX_INSTANTS = 24;
constexpr double STANDING_PX = 0.1;  // less motion than this during the exposure is none

/** As it is said to be. */
Intrinsics lens_for(const SyntheticOptions& options) {
  if (options.intrinsics.known) return resized(options.intrinsics, options.width, options.height);
  return options.faults.lens.known ? Intrinsics{} : default_intrinsics(options.width, options.height);
}

/** Grey levels. */
std::vector<int8_t> make_noise(double deviation, uint32_t seed, size_t length) {
  std::vector<int8_t> noise(length);
  for (size_t i = 0; i < length; i++)
    noise[i] = static_cast<int8_t>(std::lround(std::clamp(nearly_normal(seed, i) * deviation, -127.0, 127.0)));
  return noise;
}

/** One that has no fault goes where it would go without any. */
Trajectory trajectory_of(const SyntheticOptions& options, const Lens& real, const Intrinsics& said) {
  const bool is_as_said = options.faults.lens_share == 0 || !said.known;
  return is_as_said ? make_trajectory(options, real) : make_trajectory(options, Lens(said));
}

}  // namespace

SyntheticCamera::SyntheticCamera(const SyntheticOptions& options)
    : options_(options),
      intrinsics_(lens_for(options)),
      mount_(compose(options.mount, options.faults.mount)),
      phase_(options.motion == "drive" ? mixed_share(options.seed, PHASE) : 0),
      lens_(bent(intrinsics_, options.faults)),
      exposure_{options.light, options.vignetting},
      sheets_(print_sheets(displaced(options.map, options.faults), options.occlusion, options.seed)),
      trajectory_(trajectory_of(options, lens_, intrinsics_)),
      background_(lens_, arena_of(options.map), exposure_),
      painter_(lens_),
      blur_(options.blur_px) {
  if (options.noise > 0)
    noise_ = make_noise(options.noise, options.seed, NOISE_TILE + static_cast<size_t>(options.width));
  if (!options.board) return;
  board_ = print_board(*options.board);
  hand_ = make_hand(*options.board, lens_, options.seed);
}

/** The camera body, seen from the sheet. */
Pose SyntheticCamera::sheet_camera_at(const Sheet& sheet, double seconds) const {
  if (board_ && &sheet == &*board_) return sheet_from_hand(held_at(seconds));
  return compose(invert(sheet.field_tag), camera_at(seconds));
}

void SyntheticCamera::look_at(const Sheet& sheet, double seconds) {
  SheetView view;
  if (!view_sheet(lens_, sheet, sheet_camera_at(sheet, seconds), view)) return;
  if (view.right > 0 && view.bottom > 0 && view.left < options_.width && view.top < options_.height)
    seen_.push_back({&sheet, view});
}

void SyntheticCamera::render(int64_t index, Frame& frame) {
  const double seconds = seconds_of(index), exposure_s = options_.exposure_us * 1e-6;
  frame.seq = index;
  frame.width = options_.width;
  frame.height = options_.height;
  frame.encoded.clear();
  frame.gray.resize(options_.width, options_.height);
  frame.exposure_us = std::max<int64_t>(1, std::llround(options_.exposure_us));
  frame.has_truth = true;
  frame.truth.field_robot = trajectory_(seconds);
  frame.truth.field_camera = camera_at(seconds);

  frame.truth.has_board = board_.has_value();
  if (board_) frame.truth.camera_board = held_at(seconds);

  seen_.clear();
  for (const Sheet& sheet : sheets_) look_at(sheet, seconds);
  if (board_) look_at(*board_, seconds);
  std::stable_sort(seen_.begin(), seen_.end(),
                   [](const Seen& a, const Seen& b) { return a.view.distance_m > b.view.distance_m; });

  background_.draw(frame.truth.field_camera, frame.gray);
  std::vector<SheetView> instants;
  for (const Seen& seen : seen_) {
    const int count = instants_of(*seen.sheet, seconds);
    instants.assign(1, seen.view);
    if (count > 1) instants.clear();
    for (int i = 0; count > 1 && i < count; i++) {
      SheetView view;
      const double instant = seconds + exposure_s * ((i + 0.5) / count - 0.5);
      if (view_sheet(lens_, *seen.sheet, sheet_camera_at(*seen.sheet, instant), view)) instants.push_back(view);
    }
    if (!instants.empty()) painter_.paint(*seen.sheet, instants, exposure_, frame.gray);
  }
  tell_truth(frame.truth.field_camera, frame.truth);
  blur_.apply(frame.gray);
  if (!noise_.empty()) add_noise(index, frame.gray);
}

/** Enough that neighbouring instants are at most a pixel apart: area sampling then blends them without a seam. */
int SyntheticCamera::instants_of(const Sheet& sheet, double seconds) const {
  const double half_s = options_.exposure_us * 0.5e-6;
  double moved = 0;
  const Pose first = invert(compose(sheet_camera_at(sheet, seconds - half_s), body_optical())),
             last = invert(compose(sheet_camera_at(sheet, seconds + half_s), body_optical()));
  for (const int corner : {0, 1}) {
    const double s = corner * sheet.columns, t = corner * sheet.rows;
    double u0, v0, u1, v1;
    if (!lens_.project(optical_from_sheet(sheet, first, s, t), u0, v0)) continue;
    if (!lens_.project(optical_from_sheet(sheet, last, s, t), u1, v1)) continue;
    moved = std::max(moved, std::hypot(u1 - u0, v1 - v0));
  }
  return moved < STANDING_PX ? 1 : std::min(MAX_INSTANTS, 1 + static_cast<int>(std::ceil(moved)));
}

void SyntheticCamera::tell_truth(const Pose& field_camera, Truth& truth) const {
  const Pose optical_field = invert(compose(field_camera, body_optical()));
  truth.visible.clear();
  for (size_t order = seen_.size(); order-- > 0;) {
    const Sheet& sheet = *seen_[order].sheet;
    if (board_ && &sheet == &*board_) continue;
    const Pose optical_tag = compose(optical_field, sheet.field_tag);
    VisibleTag tag;
    tag.id = sheet.id;
    tag.distance_m = seen_[order].view.distance_m;
    const double from = sheet.border_cells, to = sheet.columns - sheet.border_cells;
    // libapriltag's order: from the bottom left, counter-clockwise as seen
    const double corners[4][2] = {{from, to}, {to, to}, {to, from}, {from, from}};
    bool whole = lens_.project(optical_from_sheet(sheet, optical_tag, sheet.columns / 2.0, sheet.rows / 2.0),
                               tag.center[0], tag.center[1]);
    whole = whole && is_shown(tag.center[0], tag.center[1]);
    for (int i = 0; i < 4; i++)
      whole = whole && lens_.project(optical_from_sheet(sheet, optical_tag, corners[i][0], corners[i][1]),
                                     tag.corners[i][0], tag.corners[i][1]);
    if (!whole) continue;
    tag.visible_fraction = visible_share(order, optical_tag);
    if (tag.visible_fraction > 0) truth.visible.push_back(tag);
  }
}

bool SyntheticCamera::is_shown(double u, double v) const {
  const Crop& part = options_.crop;
  if (part.is_whole()) return u >= 0 && v >= 0 && u < options_.width && v < options_.height;
  return u >= part.x && v >= part.y && u < part.x + part.width && v < part.y + part.height;
}

/**
 * Of the black square and the white around it, by a raster of points: inside the picture, not under the cover, not
 * behind a nearer sheet.
 */
double SyntheticCamera::visible_share(size_t order, const Pose& optical_tag) const {
  constexpr int RASTER = 10;
  const Sheet& sheet = *seen_[order].sheet;
  int shown = 0;
  for (int i = 0; i < RASTER * RASTER; i++) {
    const double s = sheet.columns * (i % RASTER + 0.5) / RASTER, t = sheet.rows * (i / RASTER + 0.5) / RASTER;
    const auto under_cover = [](const Sheet& of, double at_s, double at_t) {
      return at_s > of.cover.left && at_s < of.cover.right && at_t > of.cover.top && at_t < of.cover.bottom;
    };
    const Vec3 point = optical_from_sheet(sheet, optical_tag, s, t);
    double u, v;
    bool visible = !under_cover(sheet, s, t) && lens_.project(point, u, v) && is_shown(u, v);
    for (size_t nearer = order + 1; visible && nearer < seen_.size(); nearer++) {
      const Sheet& other = *seen_[nearer].sheet;
      const Mat3& m = seen_[nearer].view.sheet_from_ray;
      const double w = m[6] * point[0] + m[7] * point[1] + m[8] * point[2];
      const double other_s = (m[0] * point[0] + m[1] * point[1] + m[2] * point[2]) / w,
                   other_t = (m[3] * point[0] + m[4] * point[1] + m[5] * point[2]) / w;
      const bool on_sheet = other_s > 0 && other_t > 0 && other_s < other.columns && other_t < other.rows;
      if (w > 0 && (on_sheet || under_cover(other, other_s, other_t))) visible = false;
    }
    shown += visible;
  }
  return static_cast<double>(shown) / (RASTER * RASTER);
}

void SyntheticCamera::add_noise(int64_t index, GrayImage& picture) const {
  const uint64_t key = mixed(options_.seed, static_cast<uint64_t>(index));
  for (int row = 0; row < picture.height; row++) {
    const int8_t* noise = &noise_[mixed(key, static_cast<uint64_t>(row)) % NOISE_TILE];
    uint8_t* __restrict pixels = &picture.pixels[static_cast<size_t>(row) * picture.stride];
    const int width = picture.width;
    for (int i = 0; i < width; i++) pixels[i] = static_cast<uint8_t>(std::clamp(pixels[i] + noise[i], 0, 255));
  }
}

}  // namespace vedette
