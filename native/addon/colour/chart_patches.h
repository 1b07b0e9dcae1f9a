// The patches of a colour chart in a picture: what they are, and what they should look like at least.
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <vector>

#include "edit_steps.h"

namespace vedette {

constexpr int CHART_COLUMNS = 6, CHART_ROWS = 4, CHART_PATCHES = 24;

/** From the lattice to a picture: (0, 0) is the upper left of the first patch's cell, (6, 4) the lower right. */
using LatticeMap = cv::Matx33d;

cv::Point2d apply(const LatticeMap& map, double x, double y);

/** A patch as it is in a picture. rgb: 0 to 1. clipped: share of pixels that are at the end of what there is. */
struct PatchMean {
  double rgb[3] = {0, 0, 0};
  double clipped = 0;
  int pixels = 0;
};

/**
 * The inner 40 % of each patch by a mean without outliers. Empty where one of them lies beyond the picture, or is
 * smaller than a few pixels.
 */
std::vector<PatchMean> patch_means(const media::Picture& picture, const LatticeMap& map);

/** Medians of a few places of each patch, in bytes. picture: CV_8UC3, red first. False: beyond the picture. */
bool patch_glances(const cv::Mat& picture, const LatticeMap& map, std::array<cv::Vec3b, CHART_PATCHES>& to);

/**
 * How far patches are from those of a chart: a mean difference in Lab, after a white balance and a brightness by the
 * middle greys. Below 20 for charts, whatever the camera; infinite where the greys do not fall.
 */
double chart_distance(const std::array<cv::Vec3b, CHART_PATCHES>& patches);

}  // namespace vedette
