// Finds a colour chart in a picture: by the markers of one that this service has drawn, or by the lattice of patches.
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "board_layout.h"
#include "chart_patches.h"

namespace vedette {

/** By at least three of the four markers in its margin. markers: all that are in the picture. */
std::optional<LatticeMap> find_by_markers(const SeenMarkers& markers);

/** Whether one of its markers lies beside a chart that was found without them. */
bool has_marker(const LatticeMap& map, const SeenMarkers& markers);

/** By its patches, whichever way it is turned. picture: CV_8UC3, red first. */
std::optional<LatticeMap> find_by_patches(const cv::Mat& picture);

/** Onto four corners of the chart, clockwise; of the four ways to begin the one that looks most like a chart. */
std::optional<LatticeMap> map_onto(const cv::Mat& picture, const cv::Point2f (&corners)[4]);

}  // namespace vedette
