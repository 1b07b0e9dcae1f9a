// Where something of known shape is, from its corners in the picture.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "ideal_points.h"
#include "square.h"

namespace vedette {

/**
 * A shape of which the corners are known, in its own frame: metres, x right, y down, z into it as its viewer sees it.
 * Which corner of the picture is which of the model is not known: all turns are tried, the one that fits best is taken,
 * and of several that fit alike the one that stands most upright.
 */
class ModelPose {
 public:
  /**
   * numbers: x, y, z of each corner, in their order around the shape; empty: there is no model. Throws Fault
   * `engine.bad_task`.
   */
  explicit ModelPose(const std::vector<double>& numbers);

  /** 0 without a model. */
  size_t corner_count() const { return corners_.size(); }

  /**
   * The model in the optical frame, from as many corners as it has, clockwise as seen. false where none explains them.
   * error_px: root mean square.
   */
  bool solve(const std::vector<IdealPoints::Point>& seen, const Intrinsics& camera, Pose& camera_model,
             double& error_px);

 private:
  struct Solution {
    Pose pose;
    double error_px = 0;
    size_t turn = 0;
  };
  void turn_by(const std::vector<IdealPoints::Point>& seen, size_t turn);
  void try_turn(size_t turn, const Intrinsics& camera);
  /** Take both poses of a flat model, or all that are found of another. Throw cv::Exception. */
  void try_flat(const Intrinsics& camera);
  void try_solid(const Intrinsics& camera);
  /** Keeps it in best_ when it explains the corners better. */
  void take(const Pose& pose, const Intrinsics& camera);
  void refine(Solution& solution, const Intrinsics& camera);

  std::vector<cv::Point3d> corners_;
  bool is_flat_ = false;
  Sightings sightings_;
  Solution best_;
  std::vector<Solution> found_;
  cv::Mat rotation_, translation_;
  std::vector<cv::Mat> rotations_, translations_;
  std::vector<cv::Point3d> centred_;
  std::vector<cv::Point2d> flat_;
};

}  // namespace vedette
