// A square that is one family's tag is read for every other family too, and the few bits of a small family often fit
// what is drawn in a large one: tag36h11 499 is a perfect tag16h5 18. libapriltag compares only readings of one id. So
// there is one tag in a place, but for those that hang in the hole of another: one family leaves its middle empty for
// that.
#include "tag_places.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "tag_family.h"

namespace vedette {

namespace {

bool is_better(const FoundTag* a, const FoundTag* b) {
  return std::make_tuple(b->family->nbits, a->hamming, b->margin) <
         std::make_tuple(a->family->nbits, b->hamming, a->margin);
}

/** Whether a point lies within four corners, whichever way round they go. */
bool holds(const double (&corners)[4][2], const double (&point)[2]) {
  int sides = 0;
  for (int i = 0; i < 4; i++) {
    const double *from = corners[i], *to = corners[(i + 1) % 4];
    sides += (to[0] - from[0]) * (point[1] - from[1]) > (to[1] - from[1]) * (point[0] - from[0]) ? 1 : -1;
  }
  return sides == 4 || sides == -4;
}

/** Whether one tag hangs in the hole of the other. */
bool is_in_hole(const FoundTag* outer, const FoundTag* inner) {
  // the square goes from -1 to 1
  const double reach = static_cast<double>(hole_modules(*outer->family)) / outer->family->width_at_border;
  if (reach <= 0) return false;
  const double signs[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
  double hole[4][2];
  for (int i = 0; i < 4; i++) outer->homography.apply(reach * signs[i][0], reach * signs[i][1], hole[i][0], hole[i][1]);
  return std::all_of(inner->corners, inner->corners + 4, [&](const double(&corner)[2]) { return holds(hole, corner); });
}

bool is_one_place(const FoundTag* a, const FoundTag* b) {
  return (holds(a->corners, b->center) || holds(b->corners, a->center)) && !is_in_hole(a, b) && !is_in_hole(b, a);
}

}  // namespace

const TagPlaces::List& TagPlaces::best_of(const List& found) {
  best_first_.clear();
  kept_.clear();
  out_.clear();
  // Those that are alike stay in their order; std::stable_sort would ask for memory.
  for (const FoundTag* one : found)
    best_first_.insert(std::upper_bound(best_first_.begin(), best_first_.end(), one, is_better), one);
  for (const FoundTag* one : best_first_)
    if (std::none_of(kept_.begin(), kept_.end(), [one](const FoundTag* better) { return is_one_place(one, better); }))
      kept_.push_back(one);
  std::copy_if(found.begin(), found.end(), std::back_inserter(out_),
               [&](const FoundTag* one) { return std::find(kept_.begin(), kept_.end(), one) != kept_.end(); });
  return out_;
}

}  // namespace vedette
