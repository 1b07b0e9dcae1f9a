#include "reference_search.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "tag_border.h"
#include "tag_family.h"

namespace vedette {

namespace {

constexpr int MIN_SIDE_PX = 16;  // libapriltag divides by the number of its 4-pixel tiles, after decimation

// Of the picture with which threads start: 14 ms of work.
constexpr int FIRST_WIDTH_PX = 640, FIRST_HEIGHT_PX = 400;
constexpr float FIRST_BLUR_PX = 16;

// libapriltag ends the process that has no room for a table, and some would have gigabytes. The planner refuses these
// long before.
constexpr double MAX_TABLE_BYTES = 64e6;

FoundTag tag_of(const apriltag_detection_t& detection) {
  FoundTag tag{detection.family, detection.id, detection.hamming, detection.decision_margin, {}, {}, {}};
  std::copy(detection.c, detection.c + 2, tag.center);
  std::copy(&detection.p[0][0], &detection.p[0][0] + 8, &tag.corners[0][0]);
  std::copy(detection.H->data, detection.H->data + 9, tag.homography.m.begin());
  return tag;
}

}  // namespace

ReferenceSearch::ReferenceSearch(const std::vector<SoughtFamily>& sought, const ReferenceOptions& options) {
  detector_->quad_sigma = static_cast<float>(options.blur_px);
  detector_->nthreads = options.threads;
  detector_->refine_edges = options.refine_edges;
  for (const auto& [family, bits] : sought) {
    if (table_bytes(*family, bits) > MAX_TABLE_BYTES)
      throw Fault{"engine.bad_task", std::string("so many bits of ") + family->name +
                                         " cannot be corrected: the table would be too large"};
    apriltag_detector_add_family_bits(detector_.get(), const_cast<apriltag_family_t*>(family), bits);
  }
  if (detector_->nthreads > 1) start_threads();
}

const std::vector<FoundTag>& ReferenceSearch::find(const GreyView& picture, double decimate, const PictureOrigin&) {
  tags_.clear();
  detector_->quad_decimate = static_cast<float>(decimate);
  if (std::min(picture.width, picture.height) < MIN_SIDE_PX * decimate) return tags_;
  image_u8_t pixels = view(picture);
  const std::unique_ptr<zarray_t, void (*)(zarray_t*)> found{apriltag_detector_detect(detector_.get(), &pixels),
                                                             apriltag_detections_destroy};
  for (int i = 0; i < zarray_size(found.get()); i++) {
    const apriltag_detection_t* detection;
    zarray_get(found.get(), i, &detection);
    if (has_border(picture, square_of(*detection->family), detection->p)) tags_.push_back(tag_of(*detection));
  }
  return tags_;
}

void ReferenceSearch::start_threads() {
  const float decimate = std::exchange(detector_->quad_decimate, 1.0F),
              blur = std::exchange(detector_->quad_sigma, FIRST_BLUR_PX);
  std::vector<uint8_t> pixels(FIRST_WIDTH_PX * FIRST_HEIGHT_PX);
  image_u8_t first{FIRST_WIDTH_PX, FIRST_HEIGHT_PX, FIRST_WIDTH_PX, pixels.data()};
  apriltag_detections_destroy(apriltag_detector_detect(detector_.get(), &first));
  detector_->quad_decimate = decimate;
  detector_->quad_sigma = blur;
  // It would find nothing, and try again with each picture, and each time keep those threads that did start.
  if (!detector_->wp) detector_->nthreads = 1;
}

image_u8_t ReferenceSearch::view(const GreyView& picture) {
  uint8_t* pixels = const_cast<uint8_t*>(picture.pixels);
  if (detector_->quad_sigma == 0 || detector_->quad_decimate > 1)
    return {picture.width, picture.height, picture.stride, pixels};
  copy_.resize(picture.width, picture.height);
  for (int y = 0; y < picture.height; y++)
    std::memcpy(&copy_.pixels[static_cast<size_t>(y) * copy_.stride], picture.row(y), picture.width);
  return {copy_.width, copy_.height, copy_.stride, copy_.pixels.data()};
}

}  // namespace vedette
