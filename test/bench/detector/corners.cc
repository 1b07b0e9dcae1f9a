// Whole detection as a user gets it, corners refined, against bare libapriltag, which refines its own: both on one
// thread, picture by picture, turn about who is first.
//
//   corners ROUNDS FAMILY BITS WIDTH HEIGHT FILE...
//
// BITS: that are corrected. Pictures are made WIDTH x HEIGHT pixels large; without any, pictures full of tags are drawn
// at that size. Prints a line of JSON with { name, tags } for each picture, tags: that our own detector finds at
// decimate 1; then a line for each round: for each picture [[library, own, corners], [library, own, corners]], at
// decimate 1 and 2: CPU of the thread, us; own: all of it; corners: what of that refining them took.
#include <cstdio>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <string>

#include "bare_library.h"
#include "json.h"
#include "printed_pattern.h"
#include "refined_corners.h"
#include "rounds.h"
#include "sized_picture.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

/** Tags of tag36h11 in a grid. side_px: of the marked square. is_level: neither turned nor slanted. */
struct Rich {
  int columns, rows;
  double side_px, blur_px, noise;
  bool is_level;
};

constexpr int FINE = 4;  // drawn so many times larger
constexpr double MODULE_PX = 16;
constexpr double BLACK = 30, WHITE = 225, WALL = 150;

void draw_tag(cv::Mat& large, const apriltag_family_t& family, const Rich& rich, cv::Point2d middle, cv::RNG& random) {
  const PrintedPattern pattern(family, random.uniform(0, static_cast<int>(family.ncodes)));
  const int across = pattern.across * static_cast<int>(MODULE_PX);
  cv::Mat sheet(across, across, CV_8U);
  for (int y = 0; y < across; y++)
    for (int x = 0; x < across; x++) {
      const int row = y / static_cast<int>(MODULE_PX) + 1, column = x / static_cast<int>(MODULE_PX) + 1;
      sheet.at<uint8_t>(y, x) = cv::saturate_cast<uint8_t>(pattern.white[row][column] > 0.5f ? WHITE : BLACK);
    }
  const double turned = rich.is_level ? 0 : random.uniform(0.0, 2 * CV_PI);
  const double narrow = rich.is_level ? 1 : random.uniform(0.6, 1.0), c = std::cos(turned), s = std::sin(turned);
  const double half = FINE * rich.side_px * pattern.across / family.width_at_border / 2;
  cv::Point2f from[4], to[4];
  for (int k = 0; k < 4; k++) {
    const double u = k == 1 || k == 2 ? 1 : -1, v = k < 2 ? -1 : 1, x = u * half * narrow, y = v * half;
    from[k] = {static_cast<float>(across * (u + 1) / 2), static_cast<float>(across * (v + 1) / 2)};
    to[k] = {static_cast<float>(FINE * middle.x + c * x - s * y), static_cast<float>(FINE * middle.y + s * x + c * y)};
  }
  const cv::Mat map = cv::getPerspectiveTransform(from, to);
  cv::warpPerspective(sheet, large, map, large.size(), cv::INTER_NEAREST, cv::BORDER_TRANSPARENT);
}

GrayImage drawn(const apriltag_family_t& family, const Rich& rich, int width, int height, uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat large(height * FINE, width * FINE, CV_8U, cv::Scalar(WALL)), picture, noise(height, width, CV_32F);
  for (int row = 0; row < rich.rows; row++)
    for (int column = 0; column < rich.columns; column++) {
      const double x = (column + 0.5) * width / rich.columns + random.uniform(0.0, 1.0);
      const double y = (row + 0.5) * height / rich.rows + random.uniform(0.0, 1.0);
      draw_tag(large, family, rich, {x, y}, random);
    }
  cv::resize(large, picture, {width, height}, 0, 0, cv::INTER_AREA);
  picture.convertTo(picture, CV_32F);
  if (rich.blur_px > 0) cv::GaussianBlur(picture, picture, {}, rich.blur_px);
  random.fill(noise, cv::RNG::NORMAL, 0, rich.noise);
  picture += noise;
  GrayImage out;
  out.resize(width, height);
  cv::Mat grey(height, width, CV_8U, out.data(), static_cast<size_t>(out.stride));
  picture.convertTo(grey, CV_8U);
  return out;
}

struct Pictures {
  std::vector<std::string> names;
  std::vector<GrayImage> all;
};

Pictures full_of_tags(int width, int height) {
  const FamilyOwner family = named_family("corners", "tag36h11");
  Pictures out;
  uint64_t seed = 0;
  // Six by five in 640 x 480, of that size: more where there is more room.
  const double larger = std::sqrt(width * height / (640.0 * 480));
  for (const double side_px : {24.0, 32.0, 40.0, 56.0})
    for (const double blur_px : {0.0, 0.7, 1.0})
      for (const double noise : {0.0, 2.0, 6.0}) {
        const bool is_level = seed % 2 == 0;
        const int columns = static_cast<int>(6 * larger), rows = static_cast<int>(5 * larger);
        const Rich rich{columns, rows, side_px, blur_px, noise, is_level};
        char name[80];
        std::snprintf(name, sizeof name, "%d tags of %g px, blur %g, noise %g%s", columns * rows, side_px, blur_px,
                      noise, is_level ? ", level" : "");
        out.names.push_back(name);
        out.all.push_back(drawn(*family, rich, width, height, 100 + seed++));
      }
  return out;
}

/** What is found, its corners refined as the node does; how long that took, us. */
int64_t refine(const GreyView& view, const std::vector<FoundTag>& found) {
  const int64_t before_us = thread_cpu_us();
  for (const FoundTag& tag : as_of_node(found)) {
    double corners[4][2];
    std::copy(&tag.corners[0][0], &tag.corners[0][0] + 8, &corners[0][0]);
    refine_corners(view, tag, corners);
  }
  return thread_cpu_us() - before_us;
}

int measure(int rounds, const SoughtFamily& sought, const Pictures& pictures) {
  BareLibrary library(sought);
  TagScan own({sought});
  size_t nth = 0;
  std::puts(json_list(pictures.all, [&](const GrayImage& picture) {
              const size_t tags = as_of_node(own.find(view_of(picture), 1)).size();
              const int64_t count = static_cast<int64_t>(tags);
              return JsonPieces().text("name", pictures.names[nth++]).number("tags", count).object();
            }).c_str());
  print_rounds(rounds, pictures.all, [&](const GreyView& view, bool is_own_first) {
    std::string line = "[";
    for (const double decimate : {1.0, 2.0}) {
      int64_t library_us = 0, own_us = 0, corners_us = 0;
      for (const bool is_own : {is_own_first, !is_own_first}) {
        const int64_t before_us = thread_cpu_us();
        const std::vector<FoundTag>& found = (is_own ? static_cast<TagSearch&>(own) : library).find(view, decimate);
        if (is_own) corners_us = refine(view, found);
        (is_own ? own_us : library_us) = thread_cpu_us() - before_us;
      }
      line += (decimate > 1 ? ",[" : "[") + std::to_string(library_us) + "," + std::to_string(own_us) + ",";
      line += std::to_string(corners_us) + "]";
    }
    return line + "]";
  });
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 6) return std::fprintf(stderr, "corners ROUNDS FAMILY BITS WIDTH HEIGHT FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("corners", argv[2]);
  const int width = std::atoi(argv[4]), height = std::atoi(argv[5]);
  Pictures pictures;
  if (argc == 6) pictures = full_of_tags(width, height);
  else pictures = {{argv + 6, argv + argc}, read_pictures("corners", argc - 6, argv + 6, width, height)};
  return measure(std::atoi(argv[1]), {family.get(), std::atoi(argv[3])}, pictures);
}
