// Sets of pictures of a board by a camera that is known, with noise that a seed decides.
#pragma once

#include <cmath>
#include <random>

#include "adjustment.h"

namespace vedette::test {

constexpr double DEG = M_PI / 180;

/** What a set is like. Angles in degrees; sizes: of the board in the picture, of its height. */
struct SimulatedSet {
  int pictures = 15;
  double min_tilt = 20, max_tilt = 45;
  double min_size = 0.35, max_size = 0.9;
  double noise_px = 0.2;
  /** Of what is printed, against what is believed. */
  double stretch_x = 1, stretch_y = 1;
  /** Metres, in the middle of the board against its sides. */
  double bow_x_m = 0, bow_y_m = 0;
  /** Degrees either way, in its own plane: how people hold a board. */
  double max_turn = 20;
  /** Nearly the same view each time. */
  bool is_repeated = false;
  /** Tilted about the upright axis alone, in the middle of the picture. */
  bool is_one_axis = false;
};

/** The camera of all sets: 1280x800, five coefficients. */
inline LensUnknowns true_lens() {
  LensUnknowns lens{};
  lens[FX] = 905, lens[FY] = 904, lens[CX] = 645, lens[CY] = 395;
  lens[K1] = 0.08, lens[K2] = -0.12, lens[P1] = 0.001, lens[P2] = -0.0005, lens[K3] = 0.03;
  return lens;
}

constexpr int SQUARES = 8;
constexpr double SIDE_M = 0.2032;

/** Also what was seen of which picture: those of fewer than 12 corners in view are tried again. */
inline BoardViews simulate(const SimulatedSet& set, unsigned seed, const LensUnknowns& lens = true_lens()) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::normal_distribution<double> noise(0, set.noise_px);
  BoardViews board{1280, 800, SIDE_M / 2, SIDE_M / 2, {}};
  LensUnknowns bent = lens;
  bent[BEND_X] = set.bow_x_m, bent[BEND_Y] = set.bow_y_m;
  const LensAt at(bent);
  constexpr double SQUARE = SIDE_M / SQUARES;
  while (static_cast<int>(board.views.size()) < set.pictures) {
    const double tilt = set.is_repeated ? 30 + between(-2, 2) : between(set.min_tilt, set.max_tilt);
    double direction = set.is_repeated ? 40 * DEG : between(0, 2 * M_PI);
    if (set.is_one_axis) direction = between(0, 1) < 0.5 ? 0 : M_PI;
    const double most = set.is_repeated || set.is_one_axis ? 5 : set.max_turn;
    const double turn = between(-most, most) * DEG;
    const double size = set.is_repeated ? 0.5 : between(set.min_size, set.max_size);
    const double depth = lens[FY] * SIDE_M / (size * board.height);
    const bool is_middle = set.is_repeated || set.is_one_axis;
    const double u = is_middle ? 640 + between(-10, 10) : between(0.15, 0.85) * board.width;
    const double v = is_middle ? 400 + between(-10, 10) : between(0.15, 0.85) * board.height;
    // turned in its plane, then tilted about an axis across `direction`
    const Pose in_plane{0, 0, 0, std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
    const double half = tilt * DEG / 2;
    const Pose tilted{
        0, 0, 0, std::cos(half), -std::sin(half) * std::sin(direction), std::sin(half) * std::cos(direction), 0};
    Pose pose = compose(tilted, in_plane);
    pose.x = (u - lens[CX]) / lens[FX] * depth, pose.y = (v - lens[CY]) / lens[FY] * depth, pose.z = depth;
    BoardView view;
    const Mat3 rotation = rotation_matrix(pose);
    for (int row = 1; row < SQUARES; row++)
      for (int column = 1; column < SQUARES; column++) {
        BoardCorner corner{0, 0, column * SQUARE - SIDE_M / 2, row * SQUARE - SIDE_M / 2};
        const BendShape bend = bend_at(board, corner);
        const BoardCorner printed{0, 0, corner.x * set.stretch_x, corner.y * set.stretch_y};
        if (!at.see_place(rotation, {pose.x, pose.y, pose.z}, printed, bend, corner.u, corner.v)) continue;
        corner.u += noise(random), corner.v += noise(random);
        if (corner.u < 3 || corner.v < 3 || corner.u > board.width - 4 || corner.v > board.height - 4) continue;
        view.push_back(corner);
      }
    if (view.size() >= 12) board.views.push_back(view);
  }
  return board;
}

inline SoughtUnknowns sought_of(int coefficients, bool bend) {
  SoughtUnknowns to{};
  const int last = coefficients == 4 ? P2 : coefficients == 5 ? K3 : coefficients == 8 ? K6 : CY;
  for (int i = 0; i <= last; i++) to[i] = true;
  to[BEND_X] = to[BEND_Y] = bend;
  return to;
}

}  // namespace vedette::test
