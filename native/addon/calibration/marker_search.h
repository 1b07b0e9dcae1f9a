// Finds the markers of boards in pictures, of every dictionary that boards have.
#pragma once

#include <vector>

#include "board_layout.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {

/** By SeenMarker's family. */
extern const char* const BOARD_FAMILIES[];
constexpr int BOARD_FAMILIES_COUNT = 5;
/** The one of grids of tags; the others are of charuco boards. */
constexpr int GRID_FAMILY = 4;

/** Keeps its memory between pictures. */
class MarkerSearch {
 public:
  MarkerSearch();

  /** Each marker once; none that is seen at two places. Codes have to be right to the last bit. */
  SeenMarkers find(const GreyView& picture);

 private:
  std::vector<FamilyOwner> families_;
  TagScan scan_;
};

}  // namespace vedette
