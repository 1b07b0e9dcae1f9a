// A way to find tags in pictures.
#pragma once

#include <vector>

#include "found_tag.h"
#include "grey_view.h"

namespace vedette {

/** A family to look for; it outlives the search. most_wrong: bits of a code that is still taken for a tag. */
struct SoughtFamily {
  const apriltag_family_t* family;
  int most_wrong;
};

/** Keeps its memory between pictures; not for two threads at once. */
class TagSearch {
 public:
  virtual ~TagSearch() = default;

  /**
   * The tags that have a border as printed; in a place there may be several readings. decimate: their outlines are sought in a picture smaller by this. Valid until the
   * next call.
   */
  virtual const std::vector<FoundTag>& find(const GreyView& picture, double decimate) = 0;
};

}  // namespace vedette
