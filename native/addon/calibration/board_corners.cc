// A program that finds the corners of a board in pictures: board-corners FILE... Prints a line of progress for each,
// {"step":"corners","share":0.5}, and at last
// {"ok":true,"family":"aruco_4x4","columns":11,"rows":7,"starts_white":false,"marker_share":0.75,"fitting_share":1,
//  "pictures":[{"width_px":..,"height_px":..,"markers":..,"corners":[[column,row,u,v],..]},
//              {"detail":"a sentence"},..]}
// or {"ok":false,"detail":"a sentence"} where no board was recognised. A process of its own, so that a picture that
// breaks a decoder breaks nothing else.
#include <cstdio>
#include <exception>
#include <opencv2/core.hpp>
#include <optional>
#include <stdexcept>

#include "chess_corners.h"
#include "json.h"
#include "marker_search.h"
#include "own_process.h"
#include "picture.h"
#include "upright.h"
#include "whole_file.h"

namespace vedette {
namespace {

constexpr rlim_t MAX_MEMORY = 1'500'000'000;
constexpr rlim_t MAX_CPU_S = 300;
constexpr double MAX_MEGAPIXELS = 20;

GrayImage read_picture(const char* path) {
  const std::optional<std::vector<uint8_t>> file = read_whole_file(path);
  if (!file) throw Fault{"picture.corrupt", "the picture cannot be opened"};
  GrayImage picture;
  PictureDecoder().decode_gray(file->data(), file->size(), picture);
  if (picture.width * 1e-6 * picture.height > MAX_MEGAPIXELS)
    throw Fault{"picture.corrupt", "the picture is larger than 20 megapixels"};
  Chroma none;
  Turner().set_upright(picture, none, noted_orientation(file->data(), file->size()));
  return picture;
}

/** What was found in a file, or why nothing could be. */
struct Looked {
  int width = 0, height = 0;
  SeenMarkers markers;
  std::string detail;
};

GreyView view_of(const GrayImage& picture) { return {picture.data(), picture.width, picture.height, picture.stride}; }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

std::string described(const char* path, const Looked& looked, const BoardLayout& layout) {
  if (!looked.detail.empty()) return JsonPieces().text("detail", looked.detail).object();
  const SeenMarkers fitting = fitting_markers(looked.markers, layout);
  const GrayImage picture = read_picture(path);  // not all of them are kept
  const std::vector<ChessCorner> corners = chess_corners(view_of(picture), fitting, layout);
  return JsonPieces()
      .number("width_px", looked.width)
      .number("height_px", looked.height)
      .number("markers", static_cast<int64_t>(fitting.size()))
      .field("corners", json_list(corners,
                                  [](const ChessCorner& corner) {
                                    return JsonPieces()
                                        .add(std::to_string(corner.column))
                                        .add(std::to_string(corner.row))
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
  std::vector<SeenMarkers> markers;
  MarkerSearch search;
  for (int i = 0; i < count; i++) {
    try {
      const GrayImage picture = read_picture(paths[i]);
      all[i] = {picture.width, picture.height, search.find(view_of(picture)), ""};
    } catch (const Fault& fault) {
      all[i].detail = fault.detail;
    }
    markers.push_back(all[i].markers);
    print_progress(i + 1, 2 * count);
  }
  const auto layout = recognise_layout(markers);
  if (!layout) {
    size_t found = 0;
    for (const SeenMarkers& each : markers) found += each.size();
    const char* why = found == 0 ? "no marker of a board was found in any of the pictures"
                                 : "the markers that were found are not those of one charuco board";
    return print_line(JsonPieces().boolean("ok", false).text("detail", why).object());
  }
  JsonPieces pictures;
  for (int i = 0; i < count; i++) {
    pictures.add(described(paths[i], all[i], *layout));
    print_progress(count + i + 1, 2 * count);
  }
  print_line(JsonPieces()
                 .boolean("ok", true)
                 .text("family", BOARD_FAMILIES[layout->family])
                 .number("columns", layout->columns)
                 .number("rows", layout->rows)
                 .boolean("starts_white", layout->starts_white)
                 .field("marker_share", number(layout->marker))
                 .field("fitting_share", number(layout->fitting_share))
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
