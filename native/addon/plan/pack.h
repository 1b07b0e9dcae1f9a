// Results as numbers, laid out as machines/engine/result.ts says.
#pragma once

#include <optional>
#include <vector>

#include "value.h"

namespace vedette {

/** Appends a row count and the rows of an output; of a kind with texts also the texts. */
void pack_rows(const Value& value, std::vector<double>& out);

/** Appends the outputs `truth` and `visible` of a synthetic source; empty ones for a frame that has none. */
void pack_truth(const Frame& frame, std::vector<double>& out);

/**
 * How a frame was taken whose tags are observed. camera: of the source. mount: the camera body on the robot; none:
 * nobody has said where it sits. exposure_us: 0 where nobody knows.
 */
struct Observed {
  const Intrinsics& camera;
  const std::optional<Pose>& mount;
  int64_t exposure_us = 0;
};

/** Appends an observation, laid out as machines/localization/observation.ts says. */
void pack_observation(const Points& points, const Observed& how, std::vector<double>& out);

}  // namespace vedette
