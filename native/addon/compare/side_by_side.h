// Two answers to one picture, drawn for people.
#pragma once

#include <opencv2/core.hpp>

#include "both_detectors.h"

namespace vedette {

/**
 * The picture twice, in colour, what libapriltag found on the left, what this service's own detector found on the
 * right: in green what both found, in orange what this one alone found, and in thin magenta lines what the other one
 * alone found. Small pictures are enlarged and large ones made smaller.
 */
cv::Mat side_by_side(const GrayImage& picture, const Answers& answers);

}  // namespace vedette
