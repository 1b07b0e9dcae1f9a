// Chessboards and grids of tags in drawn pictures: which board it is, and where its corners are.
#include "chessboard.h"
#include "corners_off.h"
#include "drawn_board.h"
#include "marker_search.h"
#include "suite.h"
#include "tag_grid.h"

namespace vedette::test {

namespace {

std::string text_of(const std::optional<InnerCorners>& size) {
  return size ? std::to_string(size->columns) + "x" + std::to_string(size->rows) : "none";
}

/** The middle of a board of that many squares lies in the middle of the picture. */
cv::Matx33d seen_at(int columns, int rows, const BoardPlace& place) {
  DrawnBoard board;
  board.columns = columns, board.rows = rows;
  return picture_from_board(board, place);
}

/** A chessboard looks the same upside down but for its colours: whichever way it was read, corners are corners. */
void add_chessboard(const std::vector<ChessCorner>& corners, const cv::Matx33d& picture_from, const InnerCorners& size,
                    CornersOff& off) {
  const cv::Point2d first = apply(picture_from, 1, 1);
  const bool is_turned = std::hypot(corners[0].u - first.x, corners[0].v - first.y) > 10;
  for (const ChessCorner& corner : corners) {
    const int column = is_turned ? size.columns + 1 - corner.column : corner.column;
    const int row = is_turned ? size.rows + 1 - corner.row : corner.row;
    const cv::Point2d truth = apply(picture_from, column, row);
    off.add(corner.u - (truth.x - 0.5), corner.v - (truth.y - 0.5));
  }
}

}  // namespace

void test_other_boards() {
  test("corners of drawn chessboards: bias at most 0.02 px, rms at most 0.06 px", [] {
    CornersOff off;
    std::vector<InnerCorners> sizes;
    for (unsigned seed = 1; seed <= 2; seed++) {
      const cv::Matx33d picture_from = seen_at(10, 7, {12.0 * seed, 100.0 * seed, -30.0 + 40 * seed, 66, 640, 400});
      const cv::Mat picture = draw_board(ChessPattern{}, picture_from, 0.7, 2, seed);
      const auto size = recognise_chessboard(view_of(picture));
      expect(size && *size == InnerCorners{9, 6}, text_of(size));
      const auto corners = chessboard_corners(view_of(picture), *size);
      expect(corners.size() == 54, std::to_string(corners.size()) + " corners of 54");
      add_chessboard(corners, picture_from, *size, off);
    }
    expect(off.bias() <= 0.02 && off.rms() <= 0.06, off.text());
    return off.text();
  });

  test("a chessboard that is cut off is not taken for a smaller one of the same board", [] {
    const InnerCorners whole{9, 6}, part{7, 6}, other{8, 5};
    expect(agreed_size({part, whole, whole}) == whole, "two agree");
    expect(agreed_size({whole, part, part}) == part, "two agree on a smaller one");
    expect(agreed_size({part, other, whole}) == whole, "the largest where none agree");
    expect(!agreed_size({}), "none of none");
    const cv::Mat cut = draw_board(ChessPattern{}, seen_at(10, 7, {15, 30, 10, 90, 1000, 400}), 0.7, 2, 3);
    expect(chessboard_corners(view_of(cut), whole).empty(), "a board that is cut off has no corners");
    return std::string();
  });

  test("a picture that is a few pixels wide or high has no chessboard", [] {
    for (const cv::Size& size : {cv::Size(20'000, 3), cv::Size(3, 20'000), cv::Size(5000, 1), cv::Size(1, 1)}) {
      const cv::Mat picture(size, CV_8UC1, cv::Scalar(128));
      expect(!recognise_chessboard(view_of(picture)), "one is recognised");
      expect(chessboard_corners(view_of(picture), {9, 6}).empty(), "it has corners");
    }
    return std::string();
  });

  test("corners of a drawn grid of tags: bias at most 0.05 px, rms at most 0.12 px", [] {
    CornersOff off;
    MarkerSearch search;
    std::string figures;
    for (const double side : {0.8, 1 / 1.3}) {
      const cv::Matx33d picture_from = seen_at(8, 5, {25, 60, 12, 100, 640, 400});
      const cv::Mat picture = draw_board(GridPattern(8, 5, side), picture_from, 0.7, 2, 5);
      const SeenMarkers tags = search.find(view_of(picture));
      const auto grid = recognise_grid({tags}, GRID_FAMILY);
      expect(grid && grid->columns == 8 && grid->rows == 5,
             grid ? std::to_string(grid->columns) + "x" + std::to_string(grid->rows) : "no grid");
      expect(std::fabs(grid->marker - side) < 1e-9, std::to_string(grid->marker));
      expect(!recognise_layout({tags}), "taken for a charuco board");
      const auto corners = grid_corners(tags, *grid);
      expect(corners.size() >= 4 * 30, std::to_string(corners.size()) + " corners");
      for (const GridCorner& corner : corners) {
        const cv::Point2d truth = apply(picture_from, corner.column, corner.row);
        off.add(corner.u - (truth.x - 0.5), corner.v - (truth.y - 0.5));
      }
    }
    expect(off.bias() <= 0.05 && off.rms() <= 0.12, off.text());
    return off.text();
  });

  test("tags that hang about are no grid", [] {
    std::mt19937 random(4);
    MarkerSearch search;
    const cv::Mat picture = draw_board(GridPattern(8, 5, 0.8), seen_at(8, 5, {20, 10, 5, 100, 640, 400}), 0.7, 2, 6);
    SeenMarkers tags = search.find(view_of(picture));
    for (SeenMarker& tag : tags) tag.id = static_cast<int>(random() % 587);
    expect(!recognise_grid({tags}, GRID_FAMILY), "a grid was seen");
    expect(!recognise_grid({}, GRID_FAMILY) && !recognise_grid({{}}, GRID_FAMILY), "a grid was seen in nothing");
    return std::string();
  });
}

}  // namespace vedette::test
