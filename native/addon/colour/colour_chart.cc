// A program that finds a colour chart in a picture, and says what its patches look like: colour-chart FILE [X,Y four
// times]. The four corners are those of the chart as it is seen, clockwise; without them it is looked for. Prints
// {"ok":true,"width_px":..,"height_px":..,"found_by":"markers","corners":[[x,y],..],
//  "patches":[[red,green,blue,clipped,pixels],..]}
// or {"ok":false,"is_picture":true,"detail":"a sentence"}. A process of its own, so that a picture that breaks a
// decoder breaks nothing else.
#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "chart_search.h"
#include "json.h"
#include "marker_search.h"
#include "orientation.h"
#include "own_process.h"
#include "picture_codec.h"
#include "whole_file.h"

namespace vedette {
namespace {

using media::Edit;
using media::EditKind;
using media::Picture;

constexpr rlim_t MAX_MEMORY = 1'200'000'000;
constexpr rlim_t MAX_CPU_S = 20;
constexpr double MAX_MEGAPIXELS = 20;
constexpr double SEARCHED_PX = 1280;  // on the longer side

/** As it is seen, whichever way it was stored. */
void set_upright(Picture& picture, int orientation) {
  constexpr int TURNS[] = {0, 0, 0, 180, 0, 90, 90, 270, 270};
  const int turn = TURNS[orientation];
  if (turn > 0) apply(Edit{EditKind::rotate, turn}, picture);
  if (orientation == 2 || orientation == 5 || orientation == 7) apply(Edit{EditKind::flip, 0}, picture);
  if (orientation == 4) apply(Edit{EditKind::flip, 1}, picture);
}

/** In bytes, red first; smaller where it is large. Empty where it is so narrow that nothing would be left of it. */
cv::Mat searched(const Picture& picture, double& scale) {
  scale = std::min(1.0, SEARCHED_PX / std::max(picture.width, picture.height));
  if (std::min(picture.width, picture.height) * scale < 1) return {};
  cv::Mat all(picture.height, picture.width, CV_8UC3);
  const int channels = picture.channels;
  const int colour = channels >= 3 ? 1 : 0;
  size_t at = 0;
  for (int y = 0; y < picture.height; y++)
    for (int x = 0; x < picture.width; x++, at += channels) {
      auto& pixel = all.at<cv::Vec3b>(y, x);
      for (int channel = 0; channel < 3; channel++) {
        const size_t sample = at + channel * colour;
        uint16_t wide = 0;
        if (picture.sample_bytes == 2)
          std::copy_n(picture.pixels.data() + 2 * sample, 2, reinterpret_cast<uint8_t*>(&wide));
        pixel[channel] = picture.sample_bytes == 2 ? wide >> 8 : picture.pixels[sample];
      }
    }
  if (scale == 1) return all;
  cv::Mat smaller;
  cv::resize(all, smaller, {}, scale, scale, cv::INTER_AREA);
  return smaller;
}

struct Found {
  LatticeMap map;
  const char* by;
};

/** Whatever it was found by: one with our markers beside it is our own. */
std::optional<Found> find(const cv::Mat& picture, const cv::Point2f* corners) {
  cv::Mat grey;
  cv::cvtColor(picture, grey, cv::COLOR_RGB2GRAY);
  const SeenMarkers markers = MarkerSearch().find({grey.data, grey.cols, grey.rows, static_cast<int>(grey.step)});
  std::optional<LatticeMap> map;
  if (corners) {
    const cv::Point2f four[4] = {corners[0], corners[1], corners[2], corners[3]};
    map = map_onto(picture, four);
  } else {
    if ((map = find_by_markers(markers))) return Found{*map, "markers"};
    map = find_by_patches(picture);
  }
  if (!map) return {};
  return Found{*map, has_marker(*map, markers) ? "markers" : corners ? "corners" : "search"};
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

void refuse(bool is_picture, const std::string& why) {
  print_line(JsonPieces().boolean("ok", false).boolean("is_picture", is_picture).text("detail", why).object());
}

void run(const char* path, const cv::Point2f* corners) {
  cv::setNumThreads(0);
  const auto file = read_whole_file(path);
  if (!file) return refuse(false, "the picture cannot be opened");
  Picture picture = media::decode(*file);
  if (picture.width * 1e-6 * picture.height > MAX_MEGAPIXELS)
    return refuse(false, "the picture is larger than 20 megapixels");
  set_upright(picture, noted_orientation(file->data(), file->size()));
  double scale = 1;
  const cv::Mat small = searched(picture, scale);
  if (small.empty()) return refuse(true, "no colour chart was found in the picture");
  cv::Point2f scaled[4];
  if (corners)
    for (int i = 0; i < 4; i++) scaled[i] = corners[i] * scale;
  const auto found = find(small, corners ? scaled : nullptr);
  if (!found) return refuse(true, "no colour chart was found in the picture");
  const LatticeMap map = LatticeMap(1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1) * found->map;
  const auto patches = patch_means(picture, map);
  if (patches.empty()) return refuse(true, "the chart is cut off by the picture's edge, or too small in it");
  const double cells[4][2] = {{0, 0}, {CHART_COLUMNS, 0}, {CHART_COLUMNS, CHART_ROWS}, {0, CHART_ROWS}};
  JsonPieces places;
  for (const auto& cell : cells) {
    const cv::Point2d place = apply(map, cell[0], cell[1]);
    places.add(JsonPieces().add(number(place.x)).add(number(place.y)).list());
  }
  print_line(
      JsonPieces()
          .boolean("ok", true)
          .number("width_px", picture.width)
          .number("height_px", picture.height)
          .text("found_by", found->by)
          .field("corners", places.list())
          .field("patches", json_list(patches,
                                      [](const PatchMean& patch) {
                                        JsonPieces all;
                                        for (const double each : patch.rgb) all.add(number(each));
                                        return all.add(number(patch.clipped)).add(std::to_string(patch.pixels)).list();
                                      }))
          .object());
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  if (argc != 2 && argc != 6) return std::fprintf(stderr, "colour-chart FILE [X,Y X,Y X,Y X,Y]\n"), 2;
  vedette::limit_resources(vedette::MAX_MEMORY, vedette::MAX_CPU_S);
  cv::Point2f corners[4];
  for (int i = 2; i < argc; i++)
    if (std::sscanf(argv[i], "%f,%f", &corners[i - 2].x, &corners[i - 2].y) != 2)
      return std::fprintf(stderr, "%s is no place in a picture\n", argv[i]), 2;
  return vedette::run_to_end("the picture", [&] {
    try {
      vedette::run(argv[1], argc == 6 ? corners : nullptr);
    } catch (const vedette::media::BadPicture& bad) {
      vedette::refuse(false, bad.what());
    }
  });
}
