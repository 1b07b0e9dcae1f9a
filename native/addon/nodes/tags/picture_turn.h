// How a picture moves because the robot turns.
#pragma once

#include <optional>

#include "homography.h"
#include "node.h"

namespace vedette {

/** Asks the robot which way it looked, from picture to picture. */
class PictureTurn {
 public:
  /** intrinsics: of the source. */
  explicit PictureTurn(const Intrinsics& intrinsics) : intrinsics_(intrinsics) {}

  /**
   * Takes continuous pixels of an image from where something far away was in the picture before to where it is now;
   * to_source: of that image. What the lens bends is left out. None where the robot did not say which way it looked at
   * one of the two, or the intrinsics are not known.
   */
  std::optional<Homography> since_last(const Moment& moment, const ToSource& to_source);

 private:
  const Intrinsics intrinsics_;
  std::optional<double> last_yaw_rad_;
};

}  // namespace vedette
