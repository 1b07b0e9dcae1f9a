// The board that is held in front of the synthetic camera: what is found in its pictures against its truth.
#include "chess_corners.h"
#include "marker_search.h"
#include "suite.h"
#include "synthetic_camera.h"

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

/** How far corners are off, in pixels. */
struct Off {
  double sum_u = 0, sum_v = 0, squares = 0, worst = 0;
  size_t count = 0;

  void add(double u, double v) {
    sum_u += u, sum_v += v, squares += u * u + v * v, count++;
    worst = std::max(worst, std::hypot(u, v));
  }
  double rms() const { return std::sqrt(squares / static_cast<double>(count)); }
  double bias() const { return std::max(std::fabs(sum_u), std::fabs(sum_v)) / static_cast<double>(count); }
  std::string text() const {
    char line[160];
    std::snprintf(line, sizeof line, "%zu corners, bias %.4f %.4f, rms %.4f, worst %.3f px", count,
                  sum_u / static_cast<double>(count), sum_v / static_cast<double>(count), rms(), worst);
    return line;
  }
};

/** Corners as they are found in so many pictures against where the truth has them. flat: as if it were flat. */
Off corners_of(const SyntheticOptions& options, int pictures, bool flat = false) {
  SyntheticCamera camera(options);
  const Lens lens(options.faults.lens);
  Sheet sheet = print_board(*options.board);
  if (flat) sheet.bend = {};
  MarkerSearch search;
  Off off;
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
      const bool is_seen = project_corner(lens, sheet, *options.board, frame.truth.camera_board, corner.column,
                                          corner.row, u, v);
      expect(is_seen, "a corner is found where none can be seen");
      off.add(corner.u - (u - 0.5), corner.v - (v - 0.5));
    }
  }
  return off;
}

}  // namespace

void test_held_board() {
  test("corners of a held board, through a lens: bias at most 0.01 px, rms at most 0.06 px", [] {
    const Off off = corners_of(held({}), 12);
    expect(off.count > 500 && off.bias() <= 0.01 && off.rms() <= 0.06, off.text());
    return off.text();
  });

  test("a bent board is drawn bent, and a stretched one stretched", [] {
    SyntheticBoard board;
    board.bend_width_m = 0.002, board.bend_height_m = -0.001;
    board.square_width_m *= 1.02;
    const Off off = corners_of(held(board), 8), taken_for_flat = corners_of(held(board), 8, true);
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
      const Off off = corners_of(held(board), 4);
      expect(off.count > 100 && off.rms() <= 0.07, off.text());
      figures += off.text() + "; ";
    }
    return figures;
  });
}

}  // namespace vedette::test
