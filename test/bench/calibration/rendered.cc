// Whole calibrations of pictures that the synthetic camera draws of a held board: how far off the lens is, against what
// is predicted, and whether that is within two sigma. `make -C native/addon calibration-rendered`; takes a minute.
#include <algorithm>
#include <cstdio>

#include "chess_corners.h"
#include "marker_search.h"
#include "procedure.h"
#include "simulated.h"
#include "synthetic_camera.h"

namespace {

using namespace vedette;

constexpr int PICTURES = 15;
constexpr unsigned FIRST_SEED = 2000, SETS = 40;
constexpr double TWO_SIGMA_IN_A_PLANE = 2.45;

SyntheticOptions held(unsigned seed, double bend_m) {
  SyntheticOptions options;
  options.seed = seed;
  options.motion = "still";
  options.blur_px = 0.7;
  options.map = {"tag36h11", 0.1651, 16, 8, {}};
  const LensUnknowns lens = test::true_lens();
  options.faults.lens = {true,     1280,     800,      lens[FX],
                         lens[FY], lens[CX], lens[CY], {lens[K1], lens[K2], lens[P1], lens[P2], lens[K3]}};
  options.board = SyntheticBoard{};
  options.board->bend_width_m = bend_m;
  options.board->hold_s = 1 / options.fps, options.board->move_s = 0;  // another view in each picture
  return options;
}

BoardViews seen(const SyntheticOptions& options, MarkerSearch& search) {
  const SyntheticBoard& board = *options.board;
  const double half_width = board.columns * board.square_width_m / 2;
  const double half_height = board.rows * board.square_height_m / 2;
  BoardViews to{options.width, options.height, half_width, half_height, {}};
  SyntheticCamera camera(options);
  Frame frame;
  for (int index = 0; index < PICTURES; index++) {
    camera.render(index, frame);
    const GreyView view{frame.gray.pixels.data(), frame.width, frame.height, frame.gray.stride};
    const SeenMarkers markers = search.find(view);
    const auto layout = recognise_layout({markers});
    if (!layout) continue;
    BoardView corners;
    for (const ChessCorner& corner : chess_corners(view, fitting_markers(markers, *layout), *layout))
      corners.push_back({corner.u, corner.v, corner.column * board.square_width_m - half_width,
                         corner.row * board.square_height_m - half_height});
    if (corners.size() >= MIN_CORNERS_OF_VIEW) to.views.push_back(corners);
  }
  return to;
}

void measure(double bend_m) {
  MarkerSearch search;
  double predicted = 0, found = 0, worst = 0;
  int inside = 0, all = 0, fx_inside = 0;
  size_t pictures = 0;
  for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + SETS; seed++) {
    const BoardViews board = seen(held(seed, bend_m), search);
    pictures += board.views.size();
    const auto solved = calibrate({board, 0, true}, {});
    const ErrorMap error = difference_of(test::true_lens(), solved->adjusted.state.lens, board.width, board.height);
    for (size_t i = 0; i < error.size(); i++, all++) {
      predicted += solved->prediction.map_px[i];
      found += error[i];
      worst = std::max(worst, error[i]);
      inside += error[i] <= TWO_SIGMA_IN_A_PLANE * solved->prediction.map_px[i];
    }
    fx_inside += std::fabs(solved->adjusted.state.lens[FX] - 905) <= solved->prediction.deviation[FX];
  }
  std::printf(
      "bent by %.1f mm, %u sets, %zu pictures: true %.4f px, predicted %.4f px (true / predicted %.3f), worst "
      "%.3f px, inside two sigma %.3f, fx inside one %.2f\n",
      bend_m * 1000, SETS, pictures, found / all, predicted / all, found / predicted, worst,
      static_cast<double>(inside) / all, static_cast<double>(fx_inside) / SETS);
}

}  // namespace

int main() {
  measure(0);
  measure(0.0015);
}
