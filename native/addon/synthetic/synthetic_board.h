// A calibration board that a hand holds in front of the synthetic camera.
#pragma once

#include <functional>

#include "source.h"
#include "synthetic_lens.h"
#include "synthetic_sheet.h"

namespace vedette {

/**
 * The board as it is printed, with white around it. Throws Fault `camera.unreadable` for a family that no printer
 * knows, or that has too few markers.
 */
Sheet print_board(const SyntheticBoard& board);

/**
 * Where the board is after so many seconds: its middle, seen from the camera body, with the axes of the camera where it
 * is held squarely.
 */
using HandMotion = std::function<Pose(double seconds)>;

/** Still where it is told to be; else from view to view, of which each is held. */
HandMotion make_hand(const SyntheticBoard& board, const Lens& lens, uint32_t seed);

/** The camera body seen from a sheet (synthetic_sheet.h) that is held so. */
Pose sheet_from_hand(const Pose& camera_board);

/** A place of a board in the picture, as Lens::project. column, row: squares to the left of it and above. */
bool project_corner(const Lens& lens, const Sheet& sheet, const SyntheticBoard& board, const Pose& camera_board,
                    double column, double row, double& u, double& v);

}  // namespace vedette
