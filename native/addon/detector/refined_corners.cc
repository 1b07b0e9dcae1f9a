#include "refined_corners.h"

#include <algorithm>
#include <cmath>

#include "pattern_fit.h"
#include "tag_border.h"
#include "tag_edges.h"

namespace vedette {

namespace {

// The edges take a fifth of the pattern's time. Of drawn tags of every family they are as exact as it up to here:
// beyond lie small modules, blur and noise.
constexpr double GOOD_EDGES_PX = 0.03;
// What says more than that is no better a beginning for the pattern than the corners that were found.
constexpr double GOOD_BEGINNING_PX = 0.2;
// Something covers the tag, or it is bent: more is outside of what noise explains.
constexpr double MAX_OUTSIDE = 0.08;
// Light that falls evenly into square pixels is as if blurred by 0.29. What looks as sharp may lie so straight in the
// rows that a pattern that is blurred alike on all sides tells its place within them but roughly; what looks sharper
// does.
constexpr double MIN_BLUR_PX = 0.25, MIN_TELLING_BLUR_PX = 0.33, SHARP_FLOOR_PX = 0.035;
// Corners of drawn tags scatter by 1 to 1.3 times what the misfit says, and by 0.007 px where neither noise nor blur is
// large.
constexpr double MISFIT_TELLS = 1.15, FLOOR_PX = 0.007;
// Of two that say nearly the same, the one that says less is the luckier, not the better.
constexpr double SURELY_BETTER = 0.85;
// With that much blur edges may be off by more than they say, and the pattern is not.
constexpr double MUCH_BLUR_PX = 0.6, AS_GOOD = 1.2;
// Motion blurs one way only, which is not what was fitted: part of what edges lose by it stays.
constexpr double WASHED_OUT = 0.4;

}  // namespace

double refine_corners(const GreyView& picture, const FoundTag& tag, double (&corners)[4][2]) {
  double fitted[4][2];
  std::copy(&corners[0][0], &corners[0][0] + 8, &fitted[0][0]);
  const EdgeExactness edges = follow_edges(picture, square_of(*tag.family), corners);
  if (edges.sigma_px > 0 && edges.sigma_px < GOOD_EDGES_PX) return edges.sigma_px;
  if (edges.sigma_px < GOOD_BEGINNING_PX) std::copy(&corners[0][0], &corners[0][0] + 8, &fitted[0][0]);
  const PatternExactness pattern = fit_pattern(picture, *tag.family, tag.id, edges.blur_px, fitted);
  if (!(pattern.sigma_px > 0) || pattern.outside > MAX_OUTSIDE || pattern.blur_px < MIN_BLUR_PX) return edges.sigma_px;
  const double noise_px = MISFIT_TELLS * pattern.sigma_px, washed_out_px = WASHED_OUT * edges.washed_out_px;
  const double floor_px = pattern.blur_px < MIN_TELLING_BLUR_PX ? SHARP_FLOOR_PX : FLOOR_PX;
  const double sigma_px = std::sqrt(noise_px * noise_px + floor_px * floor_px + washed_out_px * washed_out_px);
  const bool is_blurred = pattern.blur_px > MUCH_BLUR_PX;
  if (edges.sigma_px > 0 && sigma_px > (is_blurred ? AS_GOOD : SURELY_BETTER) * edges.sigma_px) return edges.sigma_px;
  std::copy(&fitted[0][0], &fitted[0][0] + 8, &corners[0][0]);
  return sigma_px;
}

}  // namespace vedette
