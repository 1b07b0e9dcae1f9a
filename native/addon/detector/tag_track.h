// How one tag moves through a stream's pictures.
#pragma once

#include <opencv2/core/types.hpp>
#include <optional>

#include "found_tag.h"
#include "tag_search.h"

namespace vedette {

/** Pixels per us. */
struct PictureVelocity {
  double x = 0, y = 0;
};

/**
 * Each corner goes on as it went between the last two pictures. While the tag is not seen it goes as the others do, if
 * any are seen. Places are in pixels of all that the camera sees.
 */
class TagTrack {
 public:
  TagTrack(const FoundTag& tag, const PictureOrigin& origin);

  /** Where it must be by then. usual: how fast what was seen once goes. */
  void expect(const PictureOrigin& origin, const PictureVelocity& usual);

  /** It is so much farther on. */
  void move_expected(const cv::Point2d& by);
  cv::Point2d expected_center() const;
  double expected_side_px() const;

  /** By how much a tag is off from where this one is expected, pixels; infinite where it is another tag. */
  double distance_to(const FoundTag& tag, const PictureOrigin& origin) const;

  /** How far it may be off, pixels. */
  double reach_px() const { return reach_px_; }

  /** In which it lies whole, with its white margin, when it is off by no more than widening * reach_px. */
  cv::Rect2d surroundings(double widening) const;

  void saw(const FoundTag& tag, const PictureOrigin& origin);
  /** It is taken for where it was expected. usual: how fast the others go; none: it goes on. */
  void missed(int64_t captured_us, const std::optional<PictureVelocity>& usual);

  /** Pictures since it was seen. */
  int misses() const { return misses_; }
  bool has_velocity() const { return has_velocity_; }
  /** Of its middle, on top of how the camera is known to turn. */
  PictureVelocity velocity() const;

 private:
  void set_corners(const FoundTag& tag, const PictureOrigin& origin);

  const apriltag_family_t* family_;
  int id_, misses_ = 0;
  int64_t at_us_;
  bool has_velocity_ = false;
  // turned: where the corners of the last picture would be had the camera but turned, as far as that is known.
  // Velocities come on top.
  double corners_[4][2] = {}, velocities_[4][2] = {}, turned_[4][2] = {}, expected_[4][2] = {};
  double reach_px_ = 0;
};

}  // namespace vedette
