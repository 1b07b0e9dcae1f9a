// The board that is held in front of the synthetic camera: what is found in its pictures against its truth.
#include "chess_corners.h"
#include "chessboard.h"
#include "corners_off.h"
#include "marker_search.h"
#include "suite.h"
#include "synthetic_camera.h"
#include "tag_grid.h"

namespace vedette::test {

namespace {

SyntheticOptions held(const SyntheticBoard& board) {
  SyntheticOptions options;
  options.motion = "still";
  options.blur_px = 0.7;
  options.map = {"tag36h11", 0.1651, 16, 8, {}};
  options.faults.lens = {true, 1280, 800, 905, 904, 645, 395, {0.08, -0.12, 0.001, -0.0005, 0.03}};
  options.board = board;
  options.board->hold_s = 1 / options.fps, options.board->move_s = 0;  // another view in each picture
  return options;
}

/** Corners as they are found in so many pictures against where the truth has them. flat: as if it were flat. */
CornersOff corners_of(const SyntheticOptions& options, int pictures, bool flat = false) {
  SyntheticCamera camera(options);
  const Lens lens(options.faults.lens);
  Sheet sheet = print_board(*options.board);
  if (flat) sheet.bend = {};
  MarkerSearch search;
  CornersOff off;
  Frame frame;
  for (int index = 0; index < pictures; index++) {
    camera.render(index, frame);
    expect(frame.truth.has_board, "there is no board in the truth");
    const GreyView view{frame.gray.pixels.data(), frame.width, frame.height, frame.gray.stride};
    const SeenMarkers markers = search.find(view);
    const auto layout = recognise_layout({markers});
    expect(layout.has_value(), "the board is not recognised in picture " + std::to_string(index));
    expect(layout->columns == options.board->columns && layout->fitting_share > 0.9,
           text("%d columns, share %.3f", layout->columns, layout->fitting_share));
    for (const ChessCorner& corner : chess_corners(view, fitting_markers(markers, *layout), *layout)) {
      double u, v;
      const bool is_seen =
          project_corner(lens, sheet, *options.board, frame.truth.camera_board, corner.column, corner.row, u, v);
      expect(is_seen, "a corner is found where none can be seen");
      off.add(corner.u - (u - 0.5), corner.v - (v - 0.5));
    }
  }
  return off;
}

/** A picture of a board that is held still, tilted, in the middle; and what the truth has of it. */
struct Shown {
  Shown(const SyntheticBoard& board, double distance_m) : options(held(board)), lens(options.faults.lens) {
    options.board->has_pose = true;
    options.board->pose = pose_from_euler(distance_m, 0, 0, 0.1, 0.3, 0.35);
    SyntheticCamera(options).render(0, frame);
    sheet = print_board(*options.board);
  }

  GreyView view() const { return {frame.gray.pixels.data(), frame.width, frame.height, frame.gray.stride}; }

  void add(double column, double row, double u, double v, CornersOff& off) const {
    double at_u, at_v;
    expect(project_corner(lens, sheet, *options.board, frame.truth.camera_board, column, row, at_u, at_v), "not seen");
    off.add(u - (at_u - 0.5), v - (at_v - 0.5));
  }

  SyntheticOptions options;
  Lens lens;
  Frame frame;
  Sheet sheet;
};

}  // namespace

void test_held_board() {
  test("corners of a held board, through a lens: bias at most 0.01 px, rms at most 0.06 px", [] {
    const CornersOff off = corners_of(held({}), 12);
    expect(off.count > 500 && off.bias() <= 0.01 && off.rms() <= 0.06, off.text());
    return off.text();
  });

  test("a bent board is drawn bent, and a stretched one stretched", [] {
    SyntheticBoard board;
    board.bend_width_m = 0.002, board.bend_height_m = -0.001;
    board.square_width_m *= 1.02;
    const CornersOff off = corners_of(held(board), 8), taken_for_flat = corners_of(held(board), 8, true);
    expect(off.count > 300 && off.bias() <= 0.015 && off.rms() <= 0.06, off.text());
    expect(taken_for_flat.rms() > 0.5, taken_for_flat.text());
    return off.text() + "; taken for flat " + taken_for_flat.text();
  });

  test("boards of other dictionaries, of the old layout, and of other sizes are recognised", [] {
    std::string figures;
    SyntheticBoard five, old;
    five.family = "aruco_5x5", five.columns = 12, five.rows = 9, five.square_width_m = five.square_height_m = 0.02;
    old.columns = 8, old.rows = 8, old.is_old_layout = true;
    for (const SyntheticBoard& board : {five, old}) {
      const CornersOff off = corners_of(held(board), 4);
      expect(off.count > 100 && off.rms() <= 0.07, off.text());
      figures += off.text() + "; ";
    }
    return figures;
  });

  test("chessboards and grids of tags are held as well, and read", [] {
    SyntheticBoard chessboard, grid;
    chessboard.kind = "chessboard", chessboard.columns = 10, chessboard.rows = 7;
    const Shown chess(chessboard, 0.45);
    const auto size = recognise_chessboard(chess.view());
    expect(size && *size == InnerCorners{9, 6}, "the chessboard is not recognised");
    const auto corners = chessboard_corners(chess.view(), *size);
    double u, v;
    project_corner(chess.lens, chess.sheet, chessboard, chess.frame.truth.camera_board, 1, 1, u, v);
    const bool is_turned = std::hypot(corners[0].u - u, corners[0].v - v) > 10;
    CornersOff off, of_grid;
    for (const ChessCorner& corner : corners)
      chess.add(is_turned ? 10 - corner.column : corner.column, is_turned ? 7 - corner.row : corner.row, corner.u,
                corner.v, off);
    expect(off.count == 54 && off.bias() <= 0.02 && off.rms() <= 0.06, off.text());

    grid.kind = "tag_grid", grid.family = "tag36h11", grid.columns = 8, grid.rows = 5;
    grid.square_width_m = grid.square_height_m = 0.032;
    const Shown tags(grid, 0.45);
    MarkerSearch search;
    const SeenMarkers found = search.find(tags.view());
    const auto layout = recognise_grid({found}, GRID_FAMILY);
    expect(layout && layout->columns == 8 && layout->rows == 5, "the grid is not recognised");
    for (const GridCorner& corner : grid_corners(found, *layout))
      tags.add(corner.column, corner.row, corner.u, corner.v, of_grid);
    expect(of_grid.count >= 4 * 30 && of_grid.bias() <= 0.05 && of_grid.rms() <= 0.12, of_grid.text());
    return off.text() + "; grid " + of_grid.text();
  });
}

}  // namespace vedette::test
