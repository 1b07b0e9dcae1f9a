// Corners of tags that lie level in the picture, the usual case on a field: whole edges then run along the rows, at one
// place between two of them, and no error of an edge's model averages out.
#include <array>

#include "printed_pattern.h"
#include "refined_corners.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

/**
 * blur_px: standard deviation of the lens's. noise: standard deviation, grey levels. module_px: a module's side.
 * between: so far between the pixels of what was seen those of the picture lie, as where a lens is straightened.
 */
struct Level {
  const char* family;
  double module_px, blur_px, noise;
  double black = 30, white = 225, wall = 150, between = 0;
};

/** The integral of the normal distribution's, from far below. */
double light_before(double x, double deviation) {
  if (deviation == 0) return std::max(0.0, x);
  const double z = x / deviation;
  return x * (1 + std::erf(z / std::sqrt(2))) / 2 + deviation * std::exp(-z * z / 2) / std::sqrt(2 * CV_PI);
}

/** How much each pixel of a row sees of each module: what falls into it of a module that the lens has blurred. */
std::vector<std::vector<double>> shares_of(int modules, double begin, const Level& level, int pixels) {
  std::vector<std::vector<double>> out(static_cast<size_t>(pixels), std::vector<double>(static_cast<size_t>(modules)));
  const auto seen = [&](int pixel, int boundary) {
    const double at = pixel - (begin + boundary * level.module_px);
    return light_before(at + 1, level.blur_px) - light_before(at, level.blur_px);
  };
  for (int pixel = 0; pixel < pixels; pixel++)
    for (int module = 0; module < modules; module++)
      out[static_cast<size_t>(pixel)][static_cast<size_t>(module)] = seen(pixel, module) - seen(pixel, module + 1);
  return out;
}

/** Nearly normal, with a deviation of 1. */
double chance(Dice& dice) {
  double sum = 0;
  for (int i = 0; i < 12; i++) sum += dice.below(10'000) / 10'000.0;
  return sum - 6;
}

constexpr double MARGIN_PX = 12.25;

/** The picture between the pixels of `seen`, so far to the right and down. */
cv::Mat picture_between(const cv::Mat& seen, double between) {
  cv::Mat out = seen.clone();
  const double b = between, rest = 1 - between;
  for (int y = 0; y + 1 < seen.rows; y++)
    for (int x = 0; x + 1 < seen.cols; x++) {
      const auto of_row = [&](int row) { return rest * seen.at<uint8_t>(row, x) + b * seen.at<uint8_t>(row, x + 1); };
      out.at<uint8_t>(y, x) = cv::saturate_cast<uint8_t>(rest * of_row(y) + b * of_row(y + 1));
    }
  return out;
}

/** A tag whose border begins that far into a pixel, to the right and down. Exact but for whole grey levels. */
DrawnSheet level_sheet(const Level& level, int id, double right, double down, Dice& dice) {
  const apriltag_family_t& family = family_named(level.family);
  const PrintedPattern pattern(family, id);
  const double border = pattern.border * level.module_px, square = family.width_at_border * level.module_px;
  const double x0 = std::ceil(MARGIN_PX + border) + right, y0 = std::ceil(MARGIN_PX + border) + down;
  const int side = static_cast<int>(std::ceil(x0 + square + border + MARGIN_PX));
  const auto across = shares_of(pattern.across, x0 - border, level, side);
  const auto below = shares_of(pattern.across, y0 - border, level, side);
  DrawnSheet sheet{cv::Mat(side, side, CV_8U), {}};
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      double light = level.wall;
      for (int row = 0; row < pattern.across; row++) {
        const double of_row = below[static_cast<size_t>(y)][static_cast<size_t>(row)];
        if (of_row < 1e-9) continue;
        for (int column = 0; column < pattern.across; column++) {
          const double white = static_cast<double>(pattern.white[row + 1][column + 1]);
          const double more = level.black + (level.white - level.black) * white - level.wall;
          light += of_row * across[static_cast<size_t>(x)][static_cast<size_t>(column)] * more;
        }
      }
      sheet.picture.at<uint8_t>(y, x) = cv::saturate_cast<uint8_t>(light + level.noise * chance(dice));
    }
  const auto at = [](double x, double y) { return cv::Point2f(static_cast<float>(x), static_cast<float>(y)); };
  if (level.between > 0) sheet.picture = picture_between(sheet.picture, level.between);
  const double left = x0 - level.between, top = y0 - level.between, right_end = left + square, bottom = top + square;
  sheet.tags.push_back({&family, id, {at(left, bottom), at(right_end, bottom), at(right_end, top), at(left, top)}});
  return sheet;
}

/** Refined from a third of a pixel off. Their deviation, as it is said; 0: nothing is. off: from where they are. */
double refine(const DrawnSheet& sheet, Dice& dice, double (&off)[4][2]) {
  const DrawnTag& drawn = sheet.tags[0];
  FoundTag tag;
  tag.family = drawn.family, tag.id = drawn.id;
  for (int i = 0; i < 4; i++) {
    tag.corners[i][0] = drawn.corners[i].x + (dice.below(61) - 30) / 100.0;
    tag.corners[i][1] = drawn.corners[i].y + (dice.below(61) - 30) / 100.0;
  }
  const Picture exact(sheet.picture);
  const double sigma_px = refine_corners(exact.view(), tag, tag.corners);
  for (int i = 0; i < 4; i++) {
    off[i][0] = tag.corners[i][0] - drawn.corners[i].x;
    off[i][1] = tag.corners[i][1] - drawn.corners[i].y;
  }
  return sigma_px;
}

constexpr int PLACES = 10, TAGS = 8;

/**
 * The most that an edge is off in the mean of some tags, of all places between pixels. Edges along rows and those along
 * columns lie at different ones.
 */
double bias_px(const Level& level, Dice& dice) {
  double most = 0;
  for (int place = 0; place < PLACES; place++) {
    double sums[4] = {};  // left, right, upper, lower
    for (int nth = 0; nth < TAGS; nth++) {
      double off[4][2];
      const double places = PLACES, right = place / places, down = (3 * place % PLACES) / places;
      refine(level_sheet(level, 1 + 7 * nth, right, down, dice), dice, off);
      sums[0] += off[0][0] + off[3][0], sums[1] += off[1][0] + off[2][0];
      sums[2] += off[2][1] + off[3][1], sums[3] += off[0][1] + off[1][1];
    }
    for (const double sum : sums) most = std::max(most, std::fabs(sum / (2 * TAGS)));
  }
  return most;
}

const Suite suite([] {
  test("a level tag's edges are where they were drawn, wherever between pixels that is", [] {
    Dice dice(97);
    double most = 0;
    const auto expect_place = [&](const Level& level, const char* what) {
      const double bias = bias_px(level, dice);
      expect(bias <= 0.02, text("%s of %.2f px a module, blur %.1f, %s: off by %.3f px", level.family, level.module_px,
                                level.blur_px, what, bias));
      most = std::max(most, bias);
    };
    for (const char* family : {"tag36h11", "tagStandard41h12"})
      for (const double module_px : {3.1, 4.3, 6.2, 9.7})
        for (const double blur_px : {0.3, 0.5, 0.7, 1.0, 1.2}) {
          expect_place({family, module_px, blur_px, 1}, "bright");
          if (module_px > 4) expect_place({family, module_px, blur_px, 1, 0, 255, 255}, "black and white");
        }
    for (const double blur_px : {0.4, 0.8}) expect_place({"tag36h11", 6.2, blur_px, 0.7, 40, 90, 60}, "dim");
    for (const double module_px : {1.75, 2.3, 2.7})
      for (const double blur_px : {0.3, 0.5, 0.8}) expect_place({"tag36h11", module_px, blur_px, 1}, "small");
    return text("off by at most %.3f px", most);
  });

  test("edges whose pixels lie between those of another picture are where they were, blurred to one side or not", [] {
    Dice dice(99);
    double most = 0;
    for (const double module_px : {4.3, 6.2, 9.7})
      for (const double blur_px : {0.3, 0.5, 0.7})
        for (const double between : {0.2, 0.35, 0.5, 0.8}) {
          const Level level{"tag36h11", module_px, blur_px, 1, 30, 225, 150, between};
          const double bias = bias_px(level, dice);
          expect(bias <= 0.03, text("%.2f px a module, blur %.1f, %.2f px between: off by %.3f px", module_px, blur_px,
                                    between, bias));
          most = std::max(most, bias);
        }
    return text("off by at most %.3f px", most);
  });

  test("what corners of level tags are said to be off by is what they are off by", [] {
    Dice dice(98);
    int within[3] = {}, all = 0;
    for (const char* family : {"tag36h11", "tagStandard41h12"})
      for (const double module_px : {4.3, 6.2, 9.7})  // smaller ones are off by less than is said
        for (const double blur_px : {0.4, 0.7, 1.0})
          for (const double noise : {1.0, 2.5, 5.0})
            for (int nth = 0; nth < 12; nth++) {
              double off[4][2];
              const double right = dice.below(1000) / 1000.0, down = dice.below(1000) / 1000.0;
              const Level level{family, module_px, blur_px, noise};
              const double sigma_px = refine(level_sheet(level, 1 + 7 * nth, right, down, dice), dice, off);
              expect(sigma_px > 0, text("%s of %.2f px, blur %.1f: nothing is said", family, module_px, blur_px));
              for (const auto& corner : off)
                for (const double coordinate : corner) {
                  all++;
                  for (int k = 0; k < 3; k++) within[k] += std::fabs(coordinate) < (k + 1) * sigma_px;
                }
            }
    double shares[3];
    constexpr double NORMAL[] = {68.3, 95.4, 99.7};
    for (int k = 0; k < 3; k++) {
      shares[k] = 100.0 * within[k] / all;
      expect(std::fabs(shares[k] - NORMAL[k]) <= 4, text("within %d of them %.1f %%", k + 1, shares[k]));
    }
    return text("of %d coordinates %.1f, %.1f and %.1f %% are within", all, shares[0], shares[1], shares[2]);
  });
});

}  // namespace
}  // namespace vedette::test
