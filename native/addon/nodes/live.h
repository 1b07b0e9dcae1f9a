// What a robot sets on a stream while it runs (machines/extcam/live.ts), as far as it concerns the pictures.
#pragma once

#include <algorithm>
#include <vector>

namespace vedette {

/** A part of a picture, as shares of it from the top left. */
struct Window {
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
  bool is_whole() const { return x0 <= 0 && y0 <= 0 && x1 >= 1 && y1 >= 1; }
};

/**
 * localization_ids: sorted; those from which the robot's pose is solved, when picks_ids. skip: pictures left out after
 * each. decimate: of tag detectors; 0: as the plan says.
 */
struct LiveControls {
  bool picks_ids = false;
  std::vector<int> localization_ids;
  int skip = 0;
  double decimate = 0;
  Window window;

  bool solves_from(int id) const {
    return !picks_ids || std::binary_search(localization_ids.begin(), localization_ids.end(), id);
  }
};

}  // namespace vedette
