// What the synthetic camera sees besides tags: carpet, the walls of the field, and a dim hall above them.
#pragma once

#include <vector>

#include "frame.h"
#include "synthetic_draw.h"
#include "synthetic_lens.h"

namespace vedette {

/** The field's floor plan, metres, field frame. */
struct Arena {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
};

/** The map's own size; a map without one gets walls a metre behind its outermost tags. */
Arena arena_of(const FieldMap& map);

/**
 * Cast at half the resolution and doubled: a soft background costs a quarter, and nothing is measured on it.
 * Remembers the last picture, so a camera that stands casts once.
 */
class Background {
 public:
  Background(const Lens& lens, const Arena& arena, const Lighting& exposure);

  /** Fills the whole picture, which has the lens' size. field_camera: camera body. */
  void draw(const Pose& field_camera, GrayImage& picture);

  struct Scene;

 private:
  void cast(const Pose& field_camera);
  void find_rays(int row);
  void shade_row(const Scene& scene, int row);
  void enlarge(GrayImage& picture);

  const Lens& lens_;
  const Arena arena_;
  const Lighting exposure_;
  bool cast_once_ = false;
  Pose last_;
  GrayImage half_;
  std::vector<float> x_, y_;       // rays of one row
  std::vector<uint16_t> blended_;  // two rows of the half picture, with a neighbour on each side
};

}  // namespace vedette
