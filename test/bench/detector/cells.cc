// Synthetic pictures with tags of tag36h11, cell by cell: of one size, blur, noise, contrast and occlusion, looked at
// by bare libapriltag at decimate 1 and by this service's own detector. Both have the same pictures.
//
//   cells SEED TAGS SIDE_PX...
//
// TAGS: of a cell. Prints a line of JSON for each: { side_px, blur_px, noise, contrast, covered, tags, reference, own,
// both, reference_false, own_false, reference_square_px2, own_square_px2 }. reference, own, both: how many were found.
// *_false: that are nowhere in the picture. *_square_px2: of those that both found the sum of the squares of their
// corners' errors, of one coordinate in the mean; libapriltag's corners are its own, the others are refined as the node
// does.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "bare_library.h"
#include "refined_corners.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

enum class Covered { nothing, corner, data };
constexpr const char* COVERED_NAMES[] = {"nothing", "corner", "data"};

/** blur_px: standard deviation. noise: the most that a pixel is off, grey levels. contrast: from black to white. */
struct Cell {
  int side_px;
  double blur_px, noise, contrast;
  Covered covered;
};

constexpr double BLURS_PX[] = {0, 0.7, 1.2, 2}, NOISES[] = {0, 5, 15}, CONTRASTS[] = {160, 30};
constexpr double DEFAULT_NOISE = 5, DEFAULT_CONTRAST = 160;  // where something is covered
constexpr int FINE = 4;                                      // samples of a pixel along each side
constexpr double MIDDLE_GREY = 120;

// Of tag36h11, in modules.
constexpr double SHEET = 10, SQUARE = 8, MARGIN = 1;

/** A band over a tag, in modules of its sheet. */
struct Band {
  cv::Point2d middle, along;
  double half_length = 0, half_width = 0, light = 0;

  bool covers(double x, double y) const {
    const double dx = x - middle.x, dy = y - middle.y;
    return std::fabs(dx * along.x + dy * along.y) < half_length && std::fabs(dy * along.x - dx * along.y) < half_width;
  }
};

/** A light band across a corner of the border, or a short one, light or dark, in the data. */
Band band_over(Covered what, cv::RNG& random) {
  if (what == Covered::nothing) return {};
  if (what == Covered::data) {
    const double turned = random.uniform(0.0, CV_PI);
    return {{random.uniform(3.0, 7.0), random.uniform(3.0, 7.0)},
            {std::cos(turned), std::sin(turned)},
            1.5,
            0.3,
            random.uniform(0.0, 1.0) < 0.5 ? 0.0 : 1.0};
  }
  const bool is_right = random.uniform(0.0, 1.0) < 0.5, is_low = random.uniform(0.0, 1.0) < 0.5;
  const double in = MARGIN + 0.5, slope = std::sqrt(0.5);
  return {
      {is_right ? SHEET - in : in, is_low ? SHEET - in : in}, {slope, is_right == is_low ? -slope : slope}, 2, 0.3, 1};
}

/** Where a tag is in a picture. corners: of its square, in libapriltag's order. Continuous pixels. */
struct Placed {
  int id;
  double center[2], corners[4][2];
};

struct Scene {
  cv::Mat picture;  // floats at first
  std::vector<Placed> tags;
};

class Printer {
 public:
  Printer(const apriltag_family_t& family, const Cell& cell, cv::RNG& random)
      : family_(family), cell_(cell), random_(random) {}

  /** With tags in a grid, as many as have room and are wanted. */
  Scene print(int max_tags) {
    const bool is_large = cell_.side_px > 50;
    Scene scene{
        cv::Mat(is_large ? 800 : 480, is_large ? 1280 : 640, CV_32F, cv::Scalar(MIDDLE_GREY + cell_.contrast / 2)), {}};
    // the diagonal of the sheet is 1.77 sides
    const int pitch = std::max(40, static_cast<int>(std::ceil(1.85 * cell_.side_px)));
    for (int y = pitch / 2; y + pitch / 2 <= scene.picture.rows; y += pitch)
      for (int x = pitch / 2; x + pitch / 2 <= scene.picture.cols && static_cast<int>(scene.tags.size()) < max_tags;
           x += pitch)
        place(scene, x, y);
    finish(scene.picture);
    return scene;
  }

 private:
  void place(Scene& scene, int x, int y) {
    Placed tag{static_cast<int>(random_.uniform(0, static_cast<int>(family_.ncodes))),
               {x + random_.uniform(0.0, 1.0), y + random_.uniform(0.0, 1.0)},
               {}};
    const double turned = random_.uniform(0.0, 2 * CV_PI), c = std::cos(turned), s = std::sin(turned),
                 module_px = cell_.side_px / SQUARE;
    constexpr double CORNERS[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    for (int i = 0; i < 4; i++) {
      const double along = CORNERS[i][0] * cell_.side_px / 2.0, down = CORNERS[i][1] * cell_.side_px / 2.0;
      tag.corners[i][0] = tag.center[0] + c * along - s * down;
      tag.corners[i][1] = tag.center[1] + s * along + c * down;
    }
    draw(scene.picture, tag, c / module_px, s / module_px);
    scene.tags.push_back(tag);
  }

  /** c, s: of the turn, in modules for a pixel. */
  void draw(cv::Mat& picture, const Placed& tag, double c, double s) {
    const std::unique_ptr<image_u8_t, void (*)(image_u8_t*)> sheet(
        apriltag_to_image(const_cast<apriltag_family_t*>(&family_), static_cast<uint32_t>(tag.id)),
        [](image_u8_t* image) {
          std::free(image->buf);  // libapriltag does not export its way to free pictures
          std::free(image);
        });
    const Band band = band_over(cell_.covered, random_);
    const int reach = static_cast<int>(std::ceil(cell_.side_px * 0.89)) + 1, x0 = static_cast<int>(tag.center[0]),
              y0 = static_cast<int>(tag.center[1]);
    for (int y = std::max(0, y0 - reach); y < std::min(picture.rows, y0 + reach); y++)
      for (int x = std::max(0, x0 - reach); x < std::min(picture.cols, x0 + reach); x++) {
        double light = 0;
        for (int i = 0; i < FINE * FINE; i++) {
          const double dx = x + (i % FINE + 0.5) / FINE - tag.center[0],
                       dy = y + (i / FINE + 0.5) / FINE - tag.center[1];
          const double column = c * dx + s * dy + SHEET / 2, row = c * dy - s * dx + SHEET / 2;
          const bool is_on_sheet = column >= 0 && row >= 0 && column < SHEET && row < SHEET;
          if (!is_on_sheet) light += 1;
          else if (band.covers(column, row)) light += band.light;
          else light += sheet->buf[static_cast<int>(row) * sheet->stride + static_cast<int>(column)] > 127;
        }
        picture.at<float>(y, x) = static_cast<float>(MIDDLE_GREY + cell_.contrast * (light / (FINE * FINE) - 0.5));
      }
  }

  /** Out of focus, noisy, in whole grey levels. */
  void finish(cv::Mat& picture) {
    if (cell_.blur_px > 0) cv::GaussianBlur(picture, picture, {}, cell_.blur_px, cell_.blur_px, cv::BORDER_REPLICATE);
    cv::Mat noise(picture.size(), CV_32F);
    random_.fill(noise, cv::RNG::UNIFORM, -cell_.noise, cell_.noise);
    picture += noise;
    picture.convertTo(picture, CV_8U);
  }

  const apriltag_family_t& family_;
  const Cell& cell_;
  cv::RNG& random_;
};

struct Counts {
  int tags = 0, reference = 0, own = 0, both = 0, reference_false = 0, own_false = 0;
  double reference_square_px2 = 0, own_square_px2 = 0;
};

bool is_there(const FoundTag& found, const Placed& tag) {
  const double side = std::hypot(tag.corners[1][0] - tag.corners[0][0], tag.corners[1][1] - tag.corners[0][1]);
  return found.id == tag.id && std::hypot(found.center[0] - tag.center[0], found.center[1] - tag.center[1]) < side / 2;
}

const FoundTag* find_in(const std::vector<FoundTag>& found, const Placed& tag) {
  const auto at = std::find_if(found.begin(), found.end(), [&](const FoundTag& each) { return is_there(each, tag); });
  return at == found.end() ? nullptr : &*at;
}

int false_in(const std::vector<FoundTag>& found, const std::vector<Placed>& tags) {
  return static_cast<int>(std::count_if(found.begin(), found.end(), [&](const FoundTag& each) {
    return std::none_of(tags.begin(), tags.end(), [&](const Placed& tag) { return is_there(each, tag); });
  }));
}

double mean_square(const double (&corners)[4][2], const Placed& truth) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 2; axis++) sum += std::pow(corners[i][axis] - truth.corners[i][axis], 2);
  return sum / 8;
}

void add(Counts& counts, const Scene& scene, TagSearch& library, TagSearch& scan) {
  const GreyView view{scene.picture.data, scene.picture.cols, scene.picture.rows, static_cast<int>(scene.picture.step)};
  const std::vector<FoundTag> reference = as_of_node(library.find(view, 1)), own = as_of_node(scan.find(view, 1));
  for (const Placed& tag : scene.tags) {
    const FoundTag *by_reference = find_in(reference, tag), *by_own = find_in(own, tag);
    counts.tags++;
    counts.reference += by_reference != nullptr;
    counts.own += by_own != nullptr;
    if (!by_reference || !by_own) continue;
    counts.both++;
    double corners[4][2];
    std::copy(&by_own->corners[0][0], &by_own->corners[0][0] + 8, &corners[0][0]);
    refine_corners(view, *by_own, corners);
    counts.reference_square_px2 += mean_square(by_reference->corners, tag);
    counts.own_square_px2 += mean_square(corners, tag);
  }
  counts.reference_false += false_in(reference, scene.tags);
  counts.own_false += false_in(own, scene.tags);
}

void print(const Cell& cell, const Counts& counts) {
  std::printf(
      "{\"side_px\":%d,\"blur_px\":%g,\"noise\":%g,\"contrast\":%g,\"covered\":\"%s\",\"tags\":%d,\"reference\":%d,"
      "\"own\":%d,\"both\":%d,\"reference_false\":%d,\"own_false\":%d,",
      cell.side_px, cell.blur_px, cell.noise, cell.contrast, COVERED_NAMES[static_cast<int>(cell.covered)], counts.tags,
      counts.reference, counts.own, counts.both, counts.reference_false, counts.own_false);
  std::printf("\"reference_square_px2\":%.9g,\"own_square_px2\":%.9g}\n", counts.reference_square_px2,
              counts.own_square_px2);
  std::fflush(stdout);
}

std::vector<Cell> cells_of(int side_px) {
  std::vector<Cell> out;
  for (const double blur_px : BLURS_PX) {
    for (const double noise : NOISES)
      for (const double contrast : CONTRASTS) out.push_back({side_px, blur_px, noise, contrast, Covered::nothing});
    for (const Covered covered : {Covered::corner, Covered::data})
      out.push_back({side_px, blur_px, DEFAULT_NOISE, DEFAULT_CONTRAST, covered});
  }
  return out;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 4) return std::fprintf(stderr, "cells SEED TAGS SIDE_PX...\n"), 1;
  cv::setNumThreads(0);
  const auto seed = std::strtoull(argv[1], nullptr, 10);
  const int tags = std::atoi(argv[2]);
  const FamilyOwner family = make_family("tag36h11");
  BareLibrary library({family.get(), 1});
  TagScan scan({{family.get(), 1}});
  for (int i = 3; i < argc; i++) {
    uint64_t number = 0;
    for (const Cell& cell : cells_of(std::atoi(argv[i]))) {
      cv::RNG random(1'000'003 * seed + 1'009 * static_cast<uint64_t>(cell.side_px) + ++number);
      Counts counts;
      while (counts.tags < tags) add(counts, Printer(*family, cell, random).print(tags - counts.tags), library, scan);
      print(cell, counts);
    }
  }
}
