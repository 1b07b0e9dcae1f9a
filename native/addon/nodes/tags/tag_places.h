// Which of several readings of one place is the tag that hangs there.
#pragma once

#include <vector>

#include "found_tag.h"

namespace vedette {

/** One tag in each place. Keeps its lists between pictures. */
class TagPlaces {
 public:
  using List = std::vector<const FoundTag*>;

  /**
   * The tags without those that lie in a better one's place: the centre of one within the corners of the other, and not
   * in its hole. Keeps their order. Better is the one whose family has more bits, so is harder to hit by chance; then
   * the one with fewer corrected bits; then the one with the greater margin.
   */
  const List& best_of(const List& found);

 private:
  List best_first_, kept_, out_;
};

}  // namespace vedette
