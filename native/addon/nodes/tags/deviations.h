// How far a solved robot pose may be off.
#pragma once

#include <cmath>

#include "square.h"

namespace vedette {

/** x, y, z in metres, roll, pitch, yaw in radians (R = Rz Ry Rx). */
using PoseVector = std::array<double, 6>;

PoseVector to_vector(const Pose& pose);
Pose from_vector(const PoseVector& vector);

/**
 * ln(chance of the first / chance of the second), as the corners alone tell it, from the misfits of both. The noise
 * itself is known only about, so this is Student's distribution, not the normal one: where neither fits, neither is
 * certain.
 */
double log_odds(double first_misfit, double second_misfit, size_t corners);

/** How the corners move with each part of a pose; kept between frames for its memory alone. */
struct Slopes {
  std::array<std::vector<double>, 6> each;
  std::vector<double> before;
};

/**
 * What the corners' noise does to J^T times the residuals, J being the first N of the slopes, each by its weight: its
 * covariance. Corners are where edges meet, and an edge that was fitted too far out, or tilted, takes both of its
 * corners along; so each edge is followed, with the variance that a straight fit has at its ends: a quarter from its
 * place and three quarters from its tilt. Were corners independent, a tag's size would come out surer than its turn,
 * which is the wrong way round.
 */
template <int N>
cv::Matx<double, N, N> corner_scatter(const Sightings& sightings, const Intrinsics& camera, const Slopes& slopes) {
  cv::Matx<double, N, N> sum;
  for (size_t first = 0; first + 4 <= sightings.seen.size(); first += 4) {
    std::array<cv::Point2d, 4> corner, along;
    for (size_t k = 0; k < 4; k++)
      corner[k] = {camera.fx * sightings.seen[first + k].x, camera.fy * sightings.seen[first + k].y};
    for (size_t k = 0; k < 4; k++)
      along[k] = (corner[(k + 1) % 4] - corner[k]) / cv::norm(corner[(k + 1) % 4] - corner[k]);
    const double place_px = sightings.sigma_px[first] / 2, tilt_px = place_px * std::sqrt(3.0);
    for (size_t k = 0; k < 4; k++) {
      const cv::Point2d normal(along[k].y, -along[k].x);
      const size_t ends[2] = {k, (k + 1) % 4};
      // the edges along which the two corners slide
      const cv::Point2d other[2] = {along[(k + 3) % 4], along[(k + 1) % 4]};
      for (const bool tilts : {false, true}) {
        cv::Vec<double, N> moved;
        for (int end = 0; end < 2; end++) {
          const cv::Point2d way =
              other[end] * ((tilts ? (end == 0 ? -tilt_px : tilt_px) : place_px) / normal.dot(other[end]));
          const size_t row = 2 * (first + ends[end]);
          for (int i = 0; i < N; i++) moved[i] += slopes.each[i][row] * way.x + slopes.each[i][row + 1] * way.y;
        }
        sum += moved * moved.t();
      }
    }
  }
  return sum;
}

/**
 * By how much the misfit says that variances are larger than the noise alone makes them: that is known only about.
 * unknowns: how many numbers were fitted.
 */
double misfit_scale(double misfit, size_t coordinates, int unknowns);

/**
 * Variances of the robot's pose on the field: the covariance of a least-squares fit to corners of which each has its
 * own noise, which is what the solver does. More than the noise alone explains is taken from the misfit: a tag that
 * hangs elsewhere than the map says, a lens that is not as calibrated. False when the corners do not fix the pose.
 */
bool pose_variances(const Sightings& field_sightings, const Pose& field_robot, const Pose& robot_optical,
                    const Intrinsics& camera, Slopes& buffers, PoseVector& out);

/**
 * What a second solution of that chance adds to the variances of the first: the squared distance, as often as it is the
 * true one.
 */
void add_doubt(const Pose& first, const Pose& second, double chance, PoseVector& variances);

}  // namespace vedette
