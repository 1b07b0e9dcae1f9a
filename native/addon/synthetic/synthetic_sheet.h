// The printed sheets on the synthetic field: one for each tag of the map, and what is in front of it.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"

namespace vedette {

/**
 * A printed tag. Sheet coordinates are in cells of the code, (0, 0) at the top left of the sheet as its viewer sees it,
 * s to the right, t down.
 *
 * The sheet ends with the family's border, white or of data, so tags may be mounted as close as their sheets.
 * Reflectances: 0 to 1.
 */
struct Sheet {
  int id = 0;
  Pose field_tag;
  double cell_m = 0;
  int cells = 0;           // of the whole sheet
  int border_cells = 0;    // around the square that its corners mark
  std::vector<float> ink;  // reflectance of each cell, by rows

  /** A plain rectangle held against the sheet, larger than it on the outer sides. Empty when left == right. */
  struct Cover {
    double left = 0, top = 0, right = 0, bottom = 0;
  } cover;
};

constexpr float PAPER = 0.84f, BLACK_INK = 0.07f, COVER = 0.4f;

/**
 * Share of the tags that get a cover: `occlusion`; which ones and how much of them follows from `seed`. Throws Fault
 * `camera.unreadable` for tags that no printer knows.
 */
std::vector<Sheet> print_sheets(const FieldMap& map, double occlusion, uint32_t seed);

}  // namespace vedette
