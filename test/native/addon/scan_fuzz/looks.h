// Bytes that are read as pictures and the way in which they are looked at. Any bytes are some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "scan/tag_sheets.h"

namespace vedette::test {

using Bytes = std::vector<uint8_t>;

constexpr int MAX_PICTURES = 3;
constexpr int MAX_AREA_PX = 1 << 18;  // of a picture: one that is larger has fewer rows

/**
 * How a picture lies in memory. width_less_1, height_less_1: pixels. between_rows: bytes. aside: bytes from where
 * memory is aligned.
 */
struct PictureHead {
  uint16_t width_less_1 = 0, height_less_1 = 0;
  uint8_t between_rows = 0, aside = 0;
};

/** With what bytes begin. Of each number so much counts as there are things to choose from. */
struct LooksHead {
  uint8_t pictures_less_1 = 0, decimate = 0, blur = 0, families = 0, max_wrong = 0, unused = 0;
  PictureHead each[MAX_PICTURES];
};
static_assert(sizeof(LooksHead) == 6 + 6 * MAX_PICTURES);

constexpr double DECIMATES[] = {1, 1.5, 2, 8}, BLURS_PX[] = {0, 0.6, 0.8, 2};

/**
 * A bit of `families` each: many modules and few, black inside and white inside, with bits outside of the border and
 * with a hole.
 */
constexpr const char* FUZZED_FAMILIES[] = {"tag36h11",      "tagStandard41h12", "tag16h5",   "tag25h9",
                                           "tagCircle21h7", "tagCustom48h12",   "aruco_4x4", "tag36h10"};
constexpr int MAX_WRONG = 3;

/** Pictures that are looked at one after the other. */
struct Looks {
  LooksHead head;
  std::vector<cv::Mat> pictures;

  double decimate() const { return DECIMATES[head.decimate % std::size(DECIMATES)]; }
  double blur_px() const { return BLURS_PX[head.blur % std::size(BLURS_PX)]; }
  std::vector<SoughtFamily> sought() const;
};

/** The pixels stand one after the other behind the head; where bytes end they begin again. */
Looks looks_of(const uint8_t* bytes, size_t count);

/** The same as bytes, by the pictures' own sizes. A picture has at most MAX_AREA_PX. */
Bytes bytes_of(const Looks& looks);

}  // namespace vedette::test
