// A program that finds the corners of a board in pictures: board-corners FILE... Prints a line of progress for each,
// {"step":"corners","share":0.5}, and at last
// {"ok":true,"kind":"charuco","family":"aruco_4x4","columns":11,"rows":7,"starts_white":false,"marker_share":0.75,
//  "fitting_share":1,"pictures":[{"width_px":..,"height_px":..,"markers":..,"corners":[[column,row,u,v],..]},
//              {"detail":"a sentence"},..]}
// or {"ok":false,"detail":"a sentence"} where no board was recognised. A process of its own, so that a picture that
// breaks a decoder breaks nothing else.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <stdexcept>

#include "chess_corners.h"
#include "chessboard.h"
#include "gray_picture.h"
#include "json.h"
#include "marker_search.h"
#include "own_process.h"
#include "tag_grid.h"
#include "whole_file.h"

namespace vedette {
namespace {

constexpr rlim_t MAX_MEMORY = 1'500'000'000;
constexpr rlim_t MAX_CPU_S = 300;
/** Which chessboard it is, is asked of so many pictures at most. */
constexpr size_t MAX_ASKED = 12;
constexpr size_t MAX_RECOGNISED = 4;

GrayImage read_picture(const char* path) {
  const std::optional<std::vector<uint8_t>> file = read_whole_file(path);
  if (!file) throw Fault{"picture.corrupt", "the picture cannot be opened"};
  GrayImage picture;
  GrayReader().read(*file, picture);
  return picture;
}

/** What was found in a file, or why nothing could be. */
struct Looked {
  int width = 0, height = 0;
  SeenMarkers markers;
  std::string detail;
};

/** Of a board in a picture: the markers that lie where it has them, and the corners. */
struct FoundCorners {
  size_t markers;
  std::vector<GridCorner> corners;
};

/** A board that was recognised. */
struct KnownBoard {
  const char* kind;
  const char* family;
  int columns, rows;
  bool starts_white;
  double marker_share, fitting_share;
  /** In a picture, with the markers that were found in it. */
  std::function<FoundCorners(const GreyView&, const SeenMarkers&)> find;
};

GreyView view_of(const GrayImage& picture) { return {picture.data(), picture.width, picture.height, picture.stride}; }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

/** Without zeros at the end. */
std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::vector<GridCorner> with_parts(const std::vector<ChessCorner>& corners) {
  std::vector<GridCorner> to;
  for (const ChessCorner& each : corners)
    to.push_back({static_cast<double>(each.column), static_cast<double>(each.row), each.u, each.v});
  return to;
}

KnownBoard charuco(const BoardLayout& layout) {
  return {"charuco",
          BOARD_FAMILIES[layout.family],
          layout.columns,
          layout.rows,
          layout.starts_white,
          layout.marker,
          layout.fitting_share,
          [layout](const GreyView& picture, const SeenMarkers& markers) {
            const SeenMarkers fitting = fitting_markers(markers, layout);
            return FoundCorners{fitting.size(), with_parts(chess_corners(picture, fitting, layout))};
          }};
}

KnownBoard tag_grid(const BoardLayout& layout) {
  return {"tag_grid",
          BOARD_FAMILIES[layout.family],
          layout.columns,
          layout.rows,
          false,
          layout.marker,
          layout.fitting_share,
          [layout](const GreyView&, const SeenMarkers& markers) {
            const std::vector<GridCorner> corners = grid_corners(markers, layout);
            return FoundCorners{corners.size() / 4, corners};
          }};
}

KnownBoard chessboard(const InnerCorners& size) {
  return {"chessboard", "", size.columns + 1, size.rows + 1, false, 0, 1, [size](const GreyView& picture, auto&) {
            return FoundCorners{0, with_parts(chessboard_corners(picture, size))};
          }};
}

/** Pictures are read one after the other: not all of them are kept. */
std::optional<InnerCorners> chessboard_in(int count, char** paths, const std::vector<Looked>& all) {
  std::vector<InnerCorners> sizes;
  size_t asked = 0;
  for (int i = 0; i < count && asked < MAX_ASKED && sizes.size() < MAX_RECOGNISED; i++) {
    if (!all[i].detail.empty()) continue;
    asked++;
    if (const auto size = recognise_chessboard(view_of(read_picture(paths[i])))) sizes.push_back(*size);
  }
  return agreed_size(sizes);
}

/** A charuco board where there is one: a chessboard is looked for in pictures without markers of a board alone. */
std::optional<KnownBoard> recognise(int count, char** paths, const std::vector<Looked>& all) {
  std::vector<SeenMarkers> of_boards, of_grids;
  size_t in_boards = 0, in_grids = 0;
  for (const Looked& each : all) {
    of_boards.emplace_back(), of_grids.emplace_back();
    for (const SeenMarker& marker : each.markers)
      (marker.family == GRID_FAMILY ? of_grids : of_boards).back().push_back(marker);
    in_boards += of_boards.back().size(), in_grids += of_grids.back().size();
  }
  if (in_boards >= in_grids)
    if (const auto layout = recognise_layout(of_boards)) return charuco(*layout);
  if (const auto layout = recognise_grid(of_grids, GRID_FAMILY)) return tag_grid(*layout);
  if (in_boards < in_grids)
    if (const auto layout = recognise_layout(of_boards)) return charuco(*layout);
  if (const auto size = chessboard_in(count, paths, all)) return chessboard(*size);
  return std::nullopt;
}

std::string described(const char* path, const Looked& looked, const KnownBoard& board) {
  if (!looked.detail.empty()) return JsonPieces().text("detail", looked.detail).object();
  const GrayImage picture = read_picture(path);
  const FoundCorners found = board.find(view_of(picture), looked.markers);
  const int64_t alike = std::count_if(looked.markers.begin(), looked.markers.end(), [&](const SeenMarker& marker) {
    return std::string(BOARD_FAMILIES[marker.family]) == board.family;
  });
  return JsonPieces()
      .number("width_px", looked.width)
      .number("height_px", looked.height)
      .number("markers", static_cast<int64_t>(found.markers))
      .number("strays", static_cast<int64_t>(alike - static_cast<int64_t>(found.markers)))
      .field("corners", json_list(found.corners,
                                  [](const GridCorner& corner) {
                                    return JsonPieces()
                                        .add(short_number(corner.column))
                                        .add(short_number(corner.row))
                                        .add(number(corner.u))
                                        .add(number(corner.v))
                                        .list();
                                  }))
      .object();
}

void print_progress(int done, int all) {
  print_line(JsonPieces().text("step", "corners").field("share", number(static_cast<double>(done) / all)).object());
}

void run(int count, char** paths) {
  cv::setNumThreads(0);
  std::vector<Looked> all(count);
  MarkerSearch search;
  for (int i = 0; i < count; i++) {
    try {
      const GrayImage picture = read_picture(paths[i]);
      all[i] = {picture.width, picture.height, search.find(view_of(picture)), ""};
    } catch (const Fault& fault) {
      all[i].detail = fault.detail;
    }
    print_progress(i + 1, 2 * count);
  }
  const auto board = recognise(count, paths, all);
  if (!board) {
    const bool has_markers = std::any_of(all.begin(), all.end(), [](auto& each) { return !each.markers.empty(); });
    const char* why = has_markers ? "the markers that were found are not those of one board"
                                  : "neither markers of a board nor a chessboard were found in any of the pictures";
    return print_line(JsonPieces().boolean("ok", false).text("detail", why).object());
  }
  JsonPieces pictures;
  for (int i = 0; i < count; i++) {
    pictures.add(described(paths[i], all[i], *board));
    print_progress(count + i + 1, 2 * count);
  }
  print_line(JsonPieces()
                 .boolean("ok", true)
                 .text("kind", board->kind)
                 .text("family", board->family)
                 .number("columns", board->columns)
                 .number("rows", board->rows)
                 .boolean("starts_white", board->starts_white)
                 .field("marker_share", number(board->marker_share))
                 .field("fitting_share", number(board->fitting_share))
                 .field("pictures", pictures.list())
                 .object());
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "board-corners FILE...\n"), 2;
  vedette::limit_resources(vedette::MAX_MEMORY, vedette::MAX_CPU_S);
  try {
    vedette::run(argc - 1, argv + 1);
    return 0;
  } catch (const vedette::Fault& fault) {
    std::fprintf(stderr, "%s\n", fault.detail.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
