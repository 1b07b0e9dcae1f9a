// The border of one black and one white component, which is what may be the outline of a tag.
#pragma once

#include <cstdint>

namespace vedette {

/**
 * A place between two pixels of which one is black and one white, in half pixels: (1, 0) lies between the first two
 * pixels of the first row, whose centres are at (0, 0) and (2, 0). In pixels as GreyView has them that is half of it
 * and 0.5 more.
 */
struct BorderPoint {
  uint16_t x, y;
};

/** Between which values its points lie, both included. Half pixels. */
struct BorderBox {
  uint16_t left, top, right, bottom;

  double width_px() const { return (right - left) / 2.0; }
  double height_px() const { return (bottom - top) / 2.0; }
  /** Once around it, pixels: as many points as an outline has that winds nowhere. */
  double around_px() const { return 2 * (width_px() + height_px()); }
};

/** All places where one black component touches one white one. */
struct Border {
  uint32_t white, black;  // numbers of the components
  uint32_t points = 0;
  BorderBox box{UINT16_MAX, UINT16_MAX, 0, 0};
  /**
   * Sums over the points of the direction from black to white, of length 1 along x or y, and of its product with the
   * place. They tell the sign of the area that the border goes around: positive where the black is inside.
   */
  int32_t outward_x = 0, outward_y = 0;
  int64_t place_outward = 0;
};

/** Of a tag's border line: what may be on its inner side. */
struct Inside {
  bool black, white;
};

/**
 * What it goes around, square pixels: positive where that is the black. A border that is not closed goes round the
 * middle of its box.
 */
double area_px2(const Border& border);

/** Whether the black is inside. */
bool is_black_inside(const Border& border);

}  // namespace vedette
