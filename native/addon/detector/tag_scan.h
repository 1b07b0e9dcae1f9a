// All tags of a picture, by this service's own detector.
#pragma once

#include <vector>

#include "black_white.h"
#include "borders.h"
#include "quad_fit.h"
#include "runs.h"
#include "tag_reader.h"
#include "tag_search.h"

namespace vedette {

/**
 * Looks through whole pictures: black and white, runs of either colour, the borders between their components, the quadrilaterals among these, and what those say.
 * A noisy one is looked through in half the size as well, where each pixel has a quarter of four pixels' noise: outlines that are torn in the full size are whole there.
 * The same picture gives the same answer, whatever the processor. A picture with more in it than memory and time allow (noise of many megapixels) is looked at in half the size, or a
 * quarter. Design and budget: docs/decisions/0193-a-detector-of-our-own.md.
 */
class TagScan : public TagSearch {
 public:
  /** sought: at least one. blur_px: standard deviation, of what is looked through for outlines. path: one that this processor has. */
  explicit TagScan(const std::vector<SoughtFamily>& sought, double blur_px = 0, VectorPath path = best_vector_path());

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& origin = {}) override;

  bool was_too_much() const override { return was_too_much_; }

 private:
  /** A picture that is smaller or blurred; or the same one, when neither is wanted. */
  GreyView prepared(const GreyView& picture, double decimate);
  /** False where there is too much in the picture. */
  bool find_runs(const GreyView& picture);
  /** False where nothing is black, so that it meets nothing that is white. */
  bool has_borders() const { return !black_.components().empty(); }
  /** The tags of a picture whose runs are there. looked_at: the same, as it was cut into runs. */
  const std::vector<FoundTag>& tags_in(const GreyView& picture, const GreyView& looked_at);
  /** least_side_px: of a tag. */
  void find_quads(const GreyView& picture, double least_side_px);
  void read_quads(const GreyView& picture, double scale_x, double scale_y);

  std::vector<TagReader> readers_;
  Inside inside_{};
  double least_modules_, blur_px_;
  const RowKernels& kernels_;
  BlackWhite black_white_;
  Runs black_{false}, white_{true};
  Borders borders_;
  std::vector<uint32_t> wanted_;
  QuadFit quad_fit_;
  std::vector<Quad> quads_;
  std::vector<FoundTag> tags_, found_;  // of all looks, of one
  std::vector<uint8_t> small_, blurred_;
  bool was_too_much_ = false;
};

}  // namespace vedette
