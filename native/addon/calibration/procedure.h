// A whole calibration: which model, which pictures, whether the board is bent.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "adjustment.h"
#include "prediction.h"

namespace vedette {

constexpr int MIN_VIEWS = 4, MAX_VIEWS = 300, MAX_CORNERS = 100'000;
/** For a lens that is only tried. */
constexpr int MIN_VIEWS_TO_TRY = 3;
constexpr int MIN_CORNERS_OF_VIEW = 12;

/** What is asked for. */
struct CalibrationTask {
  BoardViews board;
  /** 4, 5 or 8; 0: by the number of pictures, 8 where that is better for pictures that were held out. */
  int coefficients = 0;
  /** The board may be bent. Not of one that looks the same upside down. */
  bool may_bend = true;
  /** A lens that is tried on the same pictures; without bends. */
  std::optional<LensUnknowns> given{};
};

/** A model, and how well it does. */
struct TriedModel {
  int coefficients;
  double rms_px;
  /** Of pictures that were held out, fitted but for their pose; none: too few pictures. */
  std::optional<double> held_out_px;
};

/** One of the pictures. */
struct ViewReport {
  bool is_used = true;
  double rms_px = 0, worst_px = 0;
  /** By which the mean error would be larger without it, as a share. 0 of one that is not used. */
  double adds = 0;
  /**
   * Radians by which the board is turned out of the plane of the picture, about the upright axis and about the level
   * one: in that plane it says nothing of the lens, wherever it is seen.
   */
  double tilt_x = 0, tilt_y = 0;
  /** Share of the picture's height and width that the corners take. */
  double height_share = 0, width_share = 0;
  Pose pose;
};

/** What comes of it. */
struct Calibration {
  int coefficients = 0;
  bool has_bend = false;
  Adjusted adjusted;
  Prediction prediction;
  std::vector<ViewReport> views;
  std::vector<TriedModel> tried;
  /** Pixels, the mean over the picture: by which the odd and the even pictures disagree; none: too few. */
  std::optional<double> halves_px;
  /** The lens shows nothing twice within the picture. */
  bool is_one_to_one = true;
  /** Pixels: rms of the pictures that are used under the lens that was given, each with its best pose. */
  std::optional<double> given_rms_px;
};

/** Asked now and then, with a step's name and how much of all is done (0 to 1); false ends the calibration. */
using CalibrationProgress = std::function<bool(const char* step, double share)>;

/**
 * By the rules of docs/decisions/0328-a-solver-of-our-own.md: 4 coefficients below ten pictures, else 5, and 8 where
 * these are better by three per cent for held-out pictures; the bend from eight pictures on; a picture that fits twice
 * as badly as the others is left out, once; corners that are off count less. None when it was ended. Views have at
 * least MIN_CORNERS_OF_VIEW corners, and there are MIN_VIEWS at least, MIN_VIEWS_TO_TRY where a lens is given.
 */
std::optional<Calibration> calibrate(const CalibrationTask& task, const CalibrationProgress& progress);

}  // namespace vedette
