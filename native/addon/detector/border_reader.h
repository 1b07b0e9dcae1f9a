// The tags that borders are the outlines of.
#pragma once

#include <cstdint>
#include <vector>

#include "borders.h"
#include "found_tag.h"
#include "grey_view.h"
#include "quad_fit.h"
#include "tag_reader.h"
#include "tag_search.h"

namespace vedette {

/** A picture, and the same as it was cut into runs, which may be smaller. min_side_px: of a tag, in that. */
struct LookedAt {
  /** min_modules: of a tag, along a side. */
  LookedAt(const GreyView& picture, const GreyView& small, double min_modules);

  GreyView picture, small;
  double min_side_px;

  double scale_x() const { return static_cast<double>(picture.width) / small.width; }
  double scale_y() const { return static_cast<double>(picture.height) / small.height; }
};

/** Sets wanted to the numbers of those borders that may be the outline of a tag. inside: what is sought. */
void choose_borders(const std::vector<Border>& all, const LookedAt& looked_at, Inside inside,
                    std::vector<uint32_t>& wanted);

/** Fits quadrilaterals and reads what they say. Keeps its memory between borders. */
class BorderReader {
 public:
  explicit BorderReader(const std::vector<SoughtFamily>& sought) : readers_(sought.begin(), sought.end()) {}

  /** border: one that may be a quad. Adds its tags. */
  void read(const LookedAt& looked_at, const Border& border, Borders::Points points, std::vector<FoundTag>& tags);

  /** The two halves of it. Adds what the border may be, in pixels of the small picture. */
  void fit(const LookedAt& looked_at, const Border& border, Borders::Points points, std::vector<Quad>& quads);
  /** quads: of any number of borders; they become those of the picture. Adds their tags. */
  void read(const LookedAt& looked_at, std::vector<Quad>& quads, std::vector<FoundTag>& tags);

 private:
  /** Whether the quadrilateral, which is one of the picture, was a tag. */
  bool read_quad(const LookedAt& looked_at, const Quad& rough, std::vector<FoundTag>& tags);

  std::vector<TagReader> readers_;
  QuadFit quad_fit_;
  std::vector<Quad> quads_;
};

}  // namespace vedette
