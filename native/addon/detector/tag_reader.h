// What a quadrilateral says, if it is a tag.
#pragma once

#include <optional>
#include <vector>

#include "found_tag.h"
#include "grey_view.h"
#include "quad_fit.h"
#include "tag_border.h"
#include "tag_codes.h"
#include "tag_search.h"

namespace vedette {

/** Reads the tags of one family. Keeps its memory between quadrilaterals. */
class TagReader {
 public:
  explicit TagReader(const SoughtFamily& sought);

  /**
   * None where the quadrilateral is no tag of this family. rough, refined: the same with corners of its outline, and
   * with those of refine_quad, which are better but for small tags that are blurred: of such the reading with the
   * fewest wrong bits counts. Where it is nearly one of the family, its sides are tried farther out and in as well.
   */
  std::optional<FoundTag> read(const GreyView& picture, const Quad& rough, const Quad& refined);

  /**
   * False where the quadrilateral is all of one grey, as a square of a checkerboard is, and where it is a part of an
   * outline without the border of a tag. Cheap, for those that nobody has refined yet: their corners need not be exact.
   */
  bool may_say_something(const GreyView& picture, const Quad& rough) const;

  const apriltag_family_t& family() const { return codes_.family(); }
  BorderSquare square() const { return square_of(family()); }

 private:
  /**
   * Reads once, and again where that may be better; keeps it in best when it is. told: with the corners that the tag
   * has then. max_wrong: bits, the first time.
   */
  void try_corners(const GreyView& picture, const Quad& quad, const Quad& told, int max_wrong,
                   std::optional<FoundTag>& best);
  /**
   * Sets bits_ to how much brighter than grey each bit is: in the middle of its module, or, where `apart` is more than
   * 0, in the mean of nine places that are so many modules apart. False where black is not darker than white.
   */
  bool sample(const GreyView& picture, const Homography& homography, bool is_black_inside, double apart);
  /** Reads what was sampled; keeps it in match when it has fewer wrong bits, and at most so many. */
  void try_gain(double gain, int max_wrong, std::optional<CodeMatch>& match);
  /** Sets sharp_ to the bits less what their neighbours have spread into them. */
  void sharpen(double gain);
  uint64_t code() const;
  double margin() const;
  /** Whether a reading of this quadrilateral was so near to a code that it may be one. */
  bool is_nearly_read() const;

  const TagCodes codes_;
  const int max_wrong_, max_wrong_again_;  // bits; in one more try, or less than 0 where there is none
  const int width_, total_width_;          // modules, of the border square and of all
  int min_wrong_ = 0;                      // bits, of all readings of this quadrilateral
  std::vector<size_t> places_;             // of each bit, in those:
  std::vector<double> bits_, sharp_;       // of a square of total_width_ modules; 0 where there is no bit
};

}  // namespace vedette
