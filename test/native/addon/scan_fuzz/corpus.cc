#include "corpus.h"

#include "scan/patterns.h"

namespace vedette::test {

namespace {

/** By their places in what there is to choose from. */
struct Way {
  uint8_t decimate = 0, blur = 0, families = 1, max_wrong = 2;
};

Bytes looked_at(const Way& way, const std::vector<cv::Mat>& pictures) {
  Looks looks;
  looks.head.decimate = way.decimate, looks.head.blur = way.blur, looks.head.families = way.families,
  looks.head.max_wrong = way.max_wrong;
  looks.pictures = pictures;
  for (size_t i = 0; i < pictures.size(); i++)
    looks.head.each[i].between_rows = static_cast<uint8_t>(7 * i),
    looks.head.each[i].aside = static_cast<uint8_t>(5 * i);
  return bytes_of(looks);
}

cv::Mat pattern_of(const Pattern& pattern, int width, int height) {
  cv::Mat out(height, width, CV_8U);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) out.at<uint8_t>(y, x) = static_cast<uint8_t>(pattern.grey(x, y));
  return out;
}

/** whole_px: of a tag with what is around its border. */
cv::Mat tags_of(size_t nth_family, double whole_px, int width, int height, uint64_t seed) {
  const apriltag_family_t& family = family_named(FUZZED_FAMILIES[nth_family]);
  return sheet_of(family, whole_px * family.width_at_border / family.total_width, width, height, seed).picture;
}

cv::Mat with_noise(const cv::Mat& picture, int most, uint64_t seed) {
  Dice dice(seed);
  cv::Mat out = picture.clone();
  for (int y = 0; y < out.rows; y++)
    for (int x = 0; x < out.cols; x++)
      out.at<uint8_t>(y, x) = cv::saturate_cast<uint8_t>(out.at<uint8_t>(y, x) + dice.below(2 * most + 1) - most);
  return out;
}

}  // namespace

std::vector<Bytes> made_corpus() {
  std::vector<Bytes> out;
  for (size_t family = 0; family < std::size(FUZZED_FAMILIES); family++) {
    const auto only = static_cast<uint8_t>(1 << family), wrong = static_cast<uint8_t>(family % 3);
    const cv::Mat small = tags_of(family, 40, 145, 75, family);
    out.push_back(looked_at({0, 0, only, wrong}, {small}));
    out.push_back(looked_at({0, 1, only, wrong}, {with_noise(small, 20, family)}));
    out.push_back(
        looked_at({static_cast<uint8_t>(1 + family % 2), 0, only, wrong}, {tags_of(family, 66, 120, 120, family)}));
  }
  const cv::Mat several = mixed_sheet(300, 200, 3).picture, large = tags_of(0, 120, 200, 200, 4),
                small = tags_of(0, 30, 110, 110, 5), dull = small / 12 + 90;
  cv::Mat blurred = small.clone();
  blur(blurred, 0.9);
  for (const uint8_t decimate : {0, 1, 2, 3}) {
    out.push_back(looked_at({decimate, 0, 0b111, 1}, {several}));
    out.push_back(looked_at({decimate, 3, 1, 0}, {large}));
  }
  for (const cv::Mat& each : {blurred, dull, cv::Mat(255 - small), with_noise(small, 60, 6)})
    out.push_back(looked_at({0, 0, 1, 2}, {each}));
  out.push_back(looked_at({0, 0, 0b11, 2}, {several, pattern_of(patterns(9, 300)[2], 9, 300), small}));
  out.push_back(looked_at({2, 2, 0b1000001, 1}, {small, cv::Mat(1, 1, CV_8U, cv::Scalar(9)), large}));

  uint8_t nth = 0;
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{{64, 48}, {130, 97}, {200, 9}, {9, 200}, {8, 8}})
    for (const Pattern& each : patterns(width, height)) {
      const Way way{static_cast<uint8_t>(nth % 4), static_cast<uint8_t>(nth / 4 % 4), static_cast<uint8_t>(nth % 8),
                    static_cast<uint8_t>(nth % 3)};
      out.push_back(looked_at(way, {pattern_of(each, width, height)}));
      nth++;
    }
  // More borders than there is room for at first.
  out.push_back(
      looked_at({0, 0, 1, 0},
                {pattern_of({"squares", [](int x, int y) { return x % 7 < 5 && y % 7 < 5 ? 0 : 255; }}, 512, 512)}));
  for (const auto& [width, height] : std::vector<std::pair<int, int>>{
           {1, 1}, {1, 70}, {70, 1}, {7, 9}, {9, 7}, {65536, 2}, {33000, 3}, {3, 33000}, {32767, 4}})
    out.push_back(looked_at({0, static_cast<uint8_t>(width % 2), 0b101, 2},
                            {with_noise(cv::Mat(height, width, CV_8U, cv::Scalar(128)), 127, 8)}));
  return out;
}

}  // namespace vedette::test
