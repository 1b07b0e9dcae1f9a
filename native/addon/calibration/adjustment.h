// The least squares of a calibration: what is unknown of lens and board, and the pose of the board in each picture.
#pragma once

#include <functional>
#include <vector>

#include "board_view.h"
#include "lens_unknowns.h"

namespace vedette {

/** Values of all unknowns. poses: of the board in the camera's frame (x right, y down, z forward), one per picture. */
struct CalibrationState {
  LensUnknowns lens{};
  std::vector<Pose> poses;
};

/** What is computed. */
struct AdjustmentOptions {
  SoughtUnknowns sought{};
  /** Pixels from which on a corner counts less (Huber); 0: all count alike. */
  double huber_px = 0;
  int max_steps = 100;
  /** Asked after each step; false ends it. */
  std::function<bool(int step, double rms)> go_on{};
};

/** What the equations of a whole adjustment say of lens and board, the poses taken out of them. */
using LensEquations = double[LENS_UNKNOWNS][LENS_UNKNOWNS];

/** How it ended. */
struct Adjusted {
  CalibrationState state;
  /** Sum over all corners: squares of distances, or less of those beyond huber_px. */
  double cost = 0;
  /** Pixels, of distances; all corners alike. */
  double rms = 0;
  int steps = 0;
  bool is_cancelled = false;
};

/**
 * Levenberg-Marquardt, the poses taken out picture by picture (Schur complement): a step costs as much as there are
 * corners, whatever the number of pictures.
 */
Adjusted adjust(const BoardViews& board, const CalibrationState& start, const AdjustmentOptions& options);

/** A first guess: focal length from how the board is foreshortened, the centre in the middle, no distortion. */
CalibrationState first_guess(const BoardViews& board);

/** The pose of the board in one picture alone, with what else is known as it stands. */
Pose pose_of_view(const BoardViews& board, const BoardView& view, const LensUnknowns& lens);

/** Pixels: how far each corner of a picture was seen from where it should have been, to the right and down. */
std::vector<std::array<double, 2>> residuals_of(const BoardViews& board, const BoardView& view,
                                                const LensUnknowns& lens, const Pose& pose);

/**
 * What one picture says of lens and board, its pose taken out; in units of squared pixels. Only of what is sought, 0
 * elsewhere.
 */
void equations_of_view(const BoardViews& board, const BoardView& view, const LensUnknowns& lens, const Pose& pose,
                       const SoughtUnknowns& sought, double huber_px, LensEquations& to);

/** What is known of k4, k5 and k6 without any picture: that they are not huge. */
void add_weak_bounds(const SoughtUnknowns& sought, LensEquations& to);

}  // namespace vedette
