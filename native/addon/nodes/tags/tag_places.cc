// A square that is one family's tag is read for every other family too, and the few bits of a small family often fit what is drawn in a large one:
// tag36h11 499 is a perfect tag16h5 18. libapriltag compares only readings of one id. No family of ours is made to hold another's tag inside itself,
// so there is one tag in a place.
#include "tag_places.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace vedette {

namespace {

bool is_better(const apriltag_detection_t* a, const apriltag_detection_t* b) {
  return std::make_tuple(b->family->nbits, a->hamming, b->decision_margin) < std::make_tuple(a->family->nbits, b->hamming, a->decision_margin);
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

bool is_one_place(const apriltag_detection_t* a, const apriltag_detection_t* b) { return holds(a->p, b->c) || holds(b->p, a->c); }

}  // namespace

std::vector<const apriltag_detection_t*> one_per_place(const std::vector<const apriltag_detection_t*>& found) {
  std::vector<const apriltag_detection_t*> best_first = found, kept;
  std::stable_sort(best_first.begin(), best_first.end(), is_better);
  for (const apriltag_detection_t* one : best_first)
    if (std::none_of(kept.begin(), kept.end(), [one](const apriltag_detection_t* better) { return is_one_place(one, better); })) kept.push_back(one);
  std::vector<const apriltag_detection_t*> out;
  std::copy_if(found.begin(), found.end(), std::back_inserter(out), [&](const apriltag_detection_t* one) { return std::find(kept.begin(), kept.end(), one) != kept.end(); });
  return out;
}

}  // namespace vedette
