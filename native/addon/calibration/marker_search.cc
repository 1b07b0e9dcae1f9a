#include "marker_search.h"

#include <algorithm>

#include "same_tag.h"

namespace vedette {

const char* const BOARD_FAMILIES[] = {"aruco_4x4", "aruco_5x5", "aruco_6x6", "aruco_7x7", "tag36h11"};

namespace {

std::vector<FamilyOwner> make_families() {
  std::vector<FamilyOwner> to;
  for (int i = 0; i < BOARD_FAMILIES_COUNT; i++) to.push_back(make_family(BOARD_FAMILIES[i]));
  return to;
}

std::vector<SoughtFamily> sought(const std::vector<FamilyOwner>& families) {
  std::vector<SoughtFamily> to;
  for (const FamilyOwner& family : families) to.push_back({family.get(), 0});
  return to;
}

}  // namespace

MarkerSearch::MarkerSearch() : families_(make_families()), scan_(sought(families_)) {}

SeenMarkers MarkerSearch::find(const GreyView& picture) {
  std::vector<FoundTag> once;
  for (const FoundTag& tag : scan_.find(picture, 1)) add_once(once, tag);
  SeenMarkers to;
  for (const FoundTag& tag : once) {
    const bool is_alone = std::count_if(once.begin(), once.end(), [&](const FoundTag& other) {
                            return other.family == tag.family && other.id == tag.id;
                          }) == 1;
    if (!is_alone) continue;
    const auto family = std::find_if(families_.begin(), families_.end(),
                                     [&](const FamilyOwner& each) { return each.get() == tag.family; });
    SeenMarker marker{static_cast<int>(family - families_.begin()), tag.id, {}, {}, tag.homography};
    std::copy_n(tag.center, 2, marker.center);
    for (int i = 0; i < 4; i++) std::copy_n(tag.corners[i], 2, marker.corners[i]);
    to.push_back(marker);
  }
  return to;
}

}  // namespace vedette
