// Which of several readings of one place is the tag that hangs there.
#pragma once

#include <apriltag/apriltag.h>

#include <vector>

namespace vedette {

/**
 * The detections without those that lie in a better one's place: the centre of one within the corners of the other. Keeps their order. Better is the
 * one whose family has more bits, so is harder to hit by chance; then the one with fewer corrected bits; then the one with the greater margin.
 */
std::vector<const apriltag_detection_t*> one_per_place(const std::vector<const apriltag_detection_t*>& found);

}  // namespace vedette
