// The printed sheets on the synthetic field: one for each tag of the map, and what is in front of it.
#pragma once

#include <apriltag/apriltag.h>

#include <cstdint>
#include <vector>

#include "frame.h"

namespace vedette {

/**
 * A printed tag, or a board. Sheet coordinates are in cells of the code, (0, 0) at the top left of the sheet as its
 * viewer sees it, s to the right, t down.
 *
 * A tag's sheet ends with the family's border, white or of data, so tags may be mounted as close as their sheets.
 * Reflectances: 0 to 1.
 */
struct Sheet {
  int id = 0;
  Pose field_tag;
  double cell_width_m = 0, cell_height_m = 0;
  int columns = 0, rows = 0;  // cells of the whole sheet
  int border_cells = 0;       // around what its corners mark
  std::vector<float> ink;     // reflectance of each cell, by rows

  /** A plain rectangle held against the sheet, larger than it on the outer sides. Empty when left == right. */
  struct Cover {
    double left = 0, top = 0, right = 0, bottom = 0;
  } cover;

  /** By how much the middle lies behind the sides of what is within the border, metres: along s, along t. */
  struct Bend {
    double along_s_m = 0, along_t_m = 0;
    bool is_flat() const { return along_s_m == 0 && along_t_m == 0; }
  } bend;

  /** How far a place lies behind the plane of the sheet's sides, metres. */
  double behind_m(double s, double t) const {
    const double u = (2 * s - columns) / (columns - 2 * border_cells), v = (2 * t - rows) / (rows - 2 * border_cells);
    return bend.along_s_m * (1 - u * u) + bend.along_t_m * (1 - v * v);
  }
};

constexpr float PAPER = 0.84f, BLACK_INK = 0.07f, COVER = 0.4f;

/**
 * Share of the tags that get a cover: `occlusion`; which ones and how much of them follows from `seed`. Throws Fault
 * `camera.unreadable` for tags that no printer knows.
 */
std::vector<Sheet> print_sheets(const FieldMap& map, double occlusion, uint32_t seed);

/** The reflectances of a tag with its border, by rows. */
std::vector<float> print_tag(apriltag_family_t* family, int id);

}  // namespace vedette
