#include "border.h"

namespace vedette {

double area_px2(const Border& border) {
  // The sum of the way outward from the middle is twice the area. In quarters of a pixel, since the middle of the box
  // may lie between half pixels.
  const int64_t middle_x = border.box.left + border.box.right, middle_y = border.box.top + border.box.bottom;
  return static_cast<double>(2 * border.place_outward - middle_x * border.outward_x - middle_y * border.outward_y) / 8;
}

bool is_black_inside(const Border& border) { return area_px2(border) > 0; }

}  // namespace vedette
