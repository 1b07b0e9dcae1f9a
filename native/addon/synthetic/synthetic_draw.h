// Drawing a sheet through the lens, with edges where they belong to a thousandth of a pixel: accuracy is measured
// against these pictures.
#pragma once

#include <vector>

#include "frame.h"
#include "pose_math.h"
#include "synthetic_lens.h"
#include "synthetic_sheet.h"

namespace vedette {

/**
 * How light becomes grey levels: 255 * level at the principal point, less `vignetting` of that in the farthest corner.
 */
struct Lighting {
  double level = 1, vignetting = 0;

  double gain(const Lens& lens, double u, double v) const {
    return 255 * level * (1 - vignetting * lens.fall_off(u, v));
  }
};

/** A sheet from one camera pose. Boxes are in continuous pixels, clipped to nothing. */
struct SheetView {
  Mat3 sheet_from_ray;  // (s, t, 1) up to scale, from the ray (x, y, 1), as if it were flat
  double left = 0, top = 0, right = 0, bottom = 0;
  double distance_m = 0;
  double eye_s = 0, eye_t = 0, eye_m = 0;  // where the camera is: above which place, and how far above the plane
};

/**
 * False when the sheet shows its back, is too far to matter, or is not wholly in front of the lens. It may still be
 * outside the picture. tag_camera: the camera body, seen from the sheet.
 */
bool view_sheet(const Lens& lens, const Sheet& sheet, const Pose& tag_camera, SheetView& view);

/** Sheet coordinates to the camera's optical frame, bent as the sheet is. */
Vec3 optical_from_sheet(const Sheet& sheet, const Pose& optical_tag, double s, double t);

/** Draws one sheet, averaged over the instants of an exposure, onto what is in the picture already. */
class SheetPainter {
 public:
  explicit SheetPainter(const Lens& lens) : lens_(lens) {}

  void paint(const Sheet& sheet, const std::vector<SheetView>& instants, const Lighting& exposure, GrayImage& picture);

 private:
  void add(const Sheet& sheet, const SheetView& view, float weight);
  void find_shifts(const Sheet& sheet, const SheetView& view);

  const Lens& lens_;
  int left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // the part of the picture that is touched
  // of that part: reflected light, and how much of the pixel is not background
  std::vector<float> light_, cover_;
  // of a bent sheet, at the nodes of the lens's lattice under that part: where it is seen, less where a flat one is
  std::vector<float> shift_s_, shift_t_;
  int first_column_ = 0, first_row_ = 0, shift_columns_ = 0;
};

}  // namespace vedette
