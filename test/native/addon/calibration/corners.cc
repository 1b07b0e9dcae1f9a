// Which board it is, and where its corners are, against drawn pictures of which both are known.
#include <set>

#include "chess_corners.h"
#include "corners_off.h"
#include "drawn_board.h"
#include "marker_search.h"
#include "suite.h"

namespace vedette::test {

namespace {

/** Markers as a detector would see them, without a picture. */
SeenMarkers seen_markers(const DrawnBoard& board, const cv::Matx33d& picture_from, double noise, std::mt19937& random) {
  SeenMarkers to;
  std::normal_distribution<double> off(0, noise);
  const int count = board.columns * board.rows;
  for (int id = 0; id < count; id++) {
    const BoardSquare square = square_of_marker(id, board.columns, board.starts_white);
    if (square.row >= board.rows) break;
    SeenMarker marker{0, id, {}, {}, {}};
    const cv::Point2d middle = apply(picture_from, square.column + 0.5, square.row + 0.5);
    if (!(middle.x > 10 && middle.y > 10 && middle.x < 1270 && middle.y < 790)) continue;
    const double corners[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    double ordered[4][2];  // as homography_onto has them
    for (int i = 0; i < 4; i++) {
      const cv::Point2d at = apply(picture_from, square.column + 0.5 + corners[i][0] * board.marker / 2,
                                   square.row + 0.5 + corners[i][1] * board.marker / 2);
      marker.corners[i][0] = at.x + off(random), marker.corners[i][1] = at.y + off(random);
      std::copy_n(marker.corners[i], 2, ordered[3 - i]);
    }
    marker.center[0] = middle.x, marker.center[1] = middle.y;
    marker.homography = *homography_onto(ordered);
    to.push_back(marker);
  }
  return to;
}

BoardPlace any_place(std::mt19937& random, double square_px) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  return {between(5, 45),    between(0, 360),  between(-180, 180), square_px * between(0.8, 1.3),
          between(500, 780), between(300, 500)};
}

std::string text_of(const BoardLayout& layout) {
  return std::to_string(layout.columns) + "x" + std::to_string(layout.rows) + (layout.starts_white ? " white" : "") +
         ", share " + std::to_string(layout.fitting_share);
}

}  // namespace

void test_corners() {
  test("markers are numbered row by row over the white squares", [] {
    for (int columns = 3; columns <= 14; columns++)
      for (const bool starts_white : {false, true}) {
        int id = 0;
        for (int row = 0; row < 9; row++)
          for (int column = 0; column < columns; column++) {
            if ((row + column) % 2 != (starts_white ? 0 : 1)) continue;
            const BoardSquare square = square_of_marker(id++, columns, starts_white);
            expect(square.row == row && square.column == column, std::to_string(columns) + ", " + std::to_string(id));
          }
      }
    return std::string();
  });

  test("a board of any width and either layout is recognised, turned as it may be, with false markers among them", [] {
    std::mt19937 random(7);
    int boards = 0;
    double least = 1;
    for (int columns = 4; columns <= 14; columns++)
      for (const int rows : {4, 5, 8, 9})
        for (const bool starts_white : {false, true}) {
          const DrawnBoard board{"aruco_4x4", columns, rows, starts_white, 0.7};
          SeenMarkers markers = seen_markers(
              board, picture_from_board(board, any_place(random, 700.0 / std::max(columns, rows))), 0.3, random);
          for (int i = 0; i < static_cast<int>(markers.size()) / 8; i++) markers[random() % markers.size()].id += 50;
          const auto found = recognise_layout({markers});
          const std::string name = std::to_string(columns) + "x" + std::to_string(rows);
          if (!found) {
            expect(markers.size() < 12,
                   name + " with " + std::to_string(markers.size()) + " markers is not recognised");
            continue;
          }
          // with an odd number of columns one false marker in eight may be the very one that tells both apart
          expect(found->columns == columns && found->rows <= rows &&
                     (columns % 2 == 1 || found->starts_white == starts_white),
                 name + (starts_white ? " white" : "") + " taken for " + text_of(*found));
          expect(std::fabs(found->marker - 0.7) < 0.02, std::to_string(found->marker));
          least = std::min(least, found->fitting_share);
          boards++;
        }
    expect(boards >= 70, std::to_string(boards) + " of 88 recognised");
    return std::to_string(boards) + " of 88, least share " + std::to_string(least);
  });

  test("what is no board is not taken for one", [] {
    std::mt19937 random(9);
    for (int round = 0; round < 50; round++) {
      SeenMarkers markers = seen_markers({}, picture_from_board({}, any_place(random, 60)), 0.3, random);
      for (SeenMarker& marker : markers) marker.id = static_cast<int>(random() % 1000);
      expect(!recognise_layout({markers}), "a board was seen");
    }
    expect(!recognise_layout({}) && !recognise_layout({{}}), "a board was seen in nothing");
    return std::string();
  });

  test("corners of drawn boards: bias at most 0.01 px, rms at most 0.06 px", [] {
    const BoardPattern pattern{DrawnBoard{}};
    std::mt19937 random(11);
    MarkerSearch search;
    CornersOff all;
    std::set<std::pair<int, int>> corners;
    for (unsigned seed = 1; seed <= 8; seed++) {
      const BoardPlace place{10.0 + 4 * seed, 45.0 * seed, -20.0 + 6 * seed, 62.0 + 4 * seed, 600.0 + 9 * seed, 400};
      const cv::Matx33d picture_from = picture_from_board(pattern.board(), place);
      const cv::Mat picture = draw_board(pattern, picture_from, 0.7, 2, seed);
      const SeenMarkers markers = search.find(view_of(picture));
      const auto layout = recognise_layout({markers});
      expect(layout.has_value(), "the board is not recognised");
      expect(layout->columns == 11 && !layout->starts_white, text_of(*layout));
      expect(layout->fitting_share > 0.97, text_of(*layout));
      BoardLayout whole = *layout;
      whole.marker = 0.75;
      for (const ChessCorner& corner : chess_corners(view_of(picture), fitting_markers(markers, *layout), whole)) {
        const cv::Point2d truth = apply(picture_from, corner.column, corner.row);
        all.add(corner.u - (truth.x - 0.5), corner.v - (truth.y - 0.5));
        corners.insert({corner.column, corner.row});
      }
    }
    expect(corners.size() == 60, std::to_string(corners.size()) + " different corners of 60");
    expect(all.count > 300 && all.bias() <= 0.01 && all.rms() <= 0.06, all.text());
    return all.text();
  });

  test("a board with an even number of rows of the old layout, and other dictionaries, are told from the picture", [] {
    MarkerSearch search;
    std::string figures;
    for (const DrawnBoard& board :
         {DrawnBoard{"aruco_5x5", 12, 9, false, 23.0 / 30}, DrawnBoard{"aruco_4x4", 8, 8, true, 0.75},
          DrawnBoard{"aruco_6x6", 9, 6, false, 0.7}}) {
      const BoardPattern pattern{board};
      const cv::Mat picture = draw_board(pattern, picture_from_board(board, {15, 70, 8, 68, 640, 400}), 0.7, 2, 3);
      const SeenMarkers markers = search.find(view_of(picture));
      const auto found = recognise_layout({markers});
      expect(found.has_value(), std::string(board.family) + " is not recognised");
      expect(BOARD_FAMILIES[found->family] == std::string(board.family) && found->columns == board.columns &&
                 found->rows == board.rows && found->starts_white == board.starts_white,
             text_of(*found));
      expect(std::fabs(found->marker - board.marker) < 0.01, std::to_string(found->marker));
      figures += text_of(*found) + "; ";
    }
    return figures;
  });
}

}  // namespace vedette::test
