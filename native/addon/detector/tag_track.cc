#include "tag_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "corners.h"

namespace vedette {

namespace {

// How far a tag may be off from where it is expected: what hands and wheels add to any motion, and half of how far it
// went, or of its size where that is not known.
constexpr double MIN_REACH_PX = 6, SHARE_OF_WAY = 0.5, SHARE_OF_SIDE = 0.5;

// a module of the margin, seen aslant, and a little of what is around it
constexpr double MARGIN_PX = 4, MARGIN_OF_SIDE = 0.3;

double mean_of(const double (&corners)[4][2], int axis) {
  return (corners[0][axis] + corners[1][axis] + corners[2][axis] + corners[3][axis]) / 4;
}

}  // namespace

TagTrack::TagTrack(const FoundTag& tag, const PictureOrigin& origin)
    : family_(tag.family), id_(tag.id), at_us_(origin.captured_us) {
  set_corners(tag, origin);
}

void TagTrack::expect(const PictureOrigin& origin, const PictureVelocity& usual) {
  const auto after_us = static_cast<double>(origin.captured_us - at_us_);
  for (int i = 0; i < 4; i++) {
    double(&turned)[2] = turned_[i];
    std::copy(corners_[i], corners_[i] + 2, turned);
    if (origin.turned) origin.turned->apply(corners_[i][0], corners_[i][1], turned[0], turned[1]);
    // it is beside the camera by now
    if (!std::isfinite(turned[0] + turned[1])) std::copy(corners_[i], corners_[i] + 2, turned);
    const PictureVelocity velocity = has_velocity_ ? PictureVelocity{velocities_[i][0], velocities_[i][1]} : usual;
    expected_[i][0] = turned[0] + after_us * velocity.x;
    expected_[i][1] = turned[1] + after_us * velocity.y;
  }
  const double way_px =
      std::hypot(mean_of(expected_, 0) - mean_of(turned_, 0), mean_of(expected_, 1) - mean_of(turned_, 1));
  reach_px_ = MIN_REACH_PX + SHARE_OF_WAY * way_px + (has_velocity_ ? 0 : SHARE_OF_SIDE * max_side(corners_));
}

void TagTrack::move_expected(const cv::Point2d& by) {
  for (double(&corner)[2] : expected_) corner[0] += by.x, corner[1] += by.y;
}

cv::Point2d TagTrack::expected_center() const { return {mean_of(expected_, 0), mean_of(expected_, 1)}; }

double TagTrack::expected_side_px() const { return max_side(expected_); }

double TagTrack::distance_to(const FoundTag& tag, const PictureOrigin& origin) const {
  if (tag.family != family_ || tag.id != id_) return std::numeric_limits<double>::infinity();
  const cv::Point2d center = expected_center();
  return std::hypot(tag.center[0] + origin.left - center.x, tag.center[1] + origin.top - center.y);
}

cv::Rect2d TagTrack::surroundings(double widening) const {
  return box_around(expected_, widening * reach_px_ + MARGIN_PX + MARGIN_OF_SIDE * expected_side_px());
}

void TagTrack::saw(const FoundTag& tag, const PictureOrigin& origin) {
  const auto after_us = static_cast<double>(origin.captured_us - at_us_);
  set_corners(tag, origin);
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 2; axis++) velocities_[i][axis] = (corners_[i][axis] - turned_[i][axis]) / after_us;
  has_velocity_ = true;
  misses_ = 0;
  at_us_ = origin.captured_us;
}

void TagTrack::missed(int64_t captured_us, const std::optional<PictureVelocity>& usual) {
  std::copy(&expected_[0][0], &expected_[0][0] + 8, &corners_[0][0]);
  at_us_ = captured_us;
  misses_++;
  if (!usual) return;
  for (double(&velocity)[2] : velocities_) velocity[0] = usual->x, velocity[1] = usual->y;
}

PictureVelocity TagTrack::velocity() const { return {mean_of(velocities_, 0), mean_of(velocities_, 1)}; }

void TagTrack::set_corners(const FoundTag& tag, const PictureOrigin& origin) {
  for (int i = 0; i < 4; i++) {
    corners_[i][0] = tag.corners[i][0] + origin.left;
    corners_[i][1] = tag.corners[i][1] + origin.top;
  }
}

}  // namespace vedette
