// What speaks for one of two poses besides the picture at hand.
#pragma once

#include <cstdint>
#include <optional>

#include "pose_math.h"

namespace vedette {

/** A source of knowledge that can tell a pose from its mirror image: where the camera was just before. */
class Witness {
 public:
  virtual ~Witness() = default;
  /**
   * ln(chance of first / chance of second); 0 when it knows nothing. Both: the camera body on the field. at_us:
   * CLOCK_MONOTONIC.
   */
  virtual double log_odds(const Pose& first, const Pose& second, int64_t at_us) const = 0;
};

/**
 * Where the camera was in the frame before: there, or with some chance at the mirror image. The doubt is carried along,
 * so that a wrong choice is not for ever: frames that speak against it add up.
 */
class PoseMemory : public Witness {
 public:
  /** Never beyond MAX_LOG_ODDS: a memory may be wrong. */
  double log_odds(const Pose& first, const Pose& second, int64_t at_us) const override;

  /** Knows anything that counts at this time. */
  bool is_fresh(int64_t at_us) const;

  /** likelier, and other unless there is no second solution; log_odds: of the likelier against the other. */
  void remember(const Pose& likelier, const std::optional<Pose>& other, double log_odds, int64_t at_us);

  // 99 of 100: with less, single frames overrule it; with more, a wrong one lasts
  static constexpr double MAX_LOG_ODDS = 5;

 private:
  double nearness(const Pose& pose, double after_s) const;

  bool knows_ = false;
  int64_t at_us_ = 0;
  Pose likelier_;
  std::optional<Pose> other_;
  double chance_ = 1;  // of likelier_
};

}  // namespace vedette
