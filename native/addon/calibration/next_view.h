// Which view of a board is worth most next: while pictures are taken one after the other, what is known of the lens by
// now decides where the board is to be held.
#pragma once

#include <array>

#include "prediction.h"

namespace vedette {

/** A board as it is printed. columns, rows: of squares; width, height: of one of them, metres. */
struct BoardGrid {
  int columns = 0, rows = 0;
  double width = 0, height = 0;

  double half_width() const { return columns * width / 2; }
  double half_height() const { return rows * height / 2; }
};

/**
 * What the pictures so far say: a lens of five coefficients and a board that may be bent, as they will be solved in the
 * end. So that one picture says something too, it is known beforehand that lenses are not monstrous.
 */
struct KnownLens {
  LensUnknowns lens{};
  /** Pixels, of one coordinate of a corner. */
  double sigma_px = 0;
  /** Of all pictures and of what was known beforehand. */
  LensEquations equations = {};
  /** Pixels: the predicted error, the mean over the picture. */
  double mean_px = 0;
  /** Deviation of fx, as a share of it. */
  double focal_share = 0;
  /** Of the equations, each unknown in its own unit. */
  double condition = 0;
};

/** board: its views may be none. */
KnownLens known_lens(const BoardViews& board);

/** Which side of the board is to be nearer to the camera than the one across. */
enum class NearerSide { NONE, LEFT, RIGHT, TOP, BOTTOM };

/** A view of the board that is to be taken. */
struct ProposedView {
  Pose pose;
  NearerSide nearer = NearerSide::NONE;
  /** Pixels: the board's corners, clockwise from its upper left. */
  std::array<std::array<double, 2>, 4> outline{};
  /** Pixels: mean_px of what will be known with it. */
  double mean_px = 0;
  /** As lowers_by() of it. */
  double lowers = 0;
};

/** Of all that next_view() chooses from. */
constexpr int CANDIDATE_VIEWS = 90;

/**
 * Until there are three pictures, three tilted, large views away from the middle, one after the other; from then on the
 * one of 3x3 places, two sizes and five tilts that makes the lens known best.
 */
ProposedView next_view(const BoardViews& board, const BoardGrid& grid, const KnownLens& known);

/**
 * By which share mean_px would be lower with one more picture; once that is good, the condition as long as it is
 * not: unknowns may still be taken for each other.
 */
double lowers_by(const BoardViews& board, const KnownLens& known, const BoardView& view);

/**
 * Pixels: where the board's four corners are, clockwise from its upper left, by the corners of its squares that are
 * seen, and by the lens as far as it is known. False where these do not say.
 */
bool outline_of(const BoardViews& board, const KnownLens& known, const BoardView& view,
                std::array<std::array<double, 2>, 4>& outline);

}  // namespace vedette
