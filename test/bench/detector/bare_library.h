// libapriltag itself, at its best: the whole picture, one thread, and nothing asked afterwards of what it finds.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "clock.h"
#include "tag_family.h"
#include "tag_places.h"
#include "tag_search.h"

namespace vedette {

class BareLibrary : public TagSearch {
 public:
  explicit BareLibrary(const SoughtFamily& sought) : BareLibrary(std::vector<SoughtFamily>{sought}) {}
  explicit BareLibrary(const std::vector<SoughtFamily>& sought) {
    detector_->nthreads = 1;
    for (const SoughtFamily& each : sought)
      apriltag_detector_add_family_bits(detector_.get(), const_cast<apriltag_family_t*>(each.family), each.max_wrong);
  }

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& = {}) override {
    tags_.clear();
    detector_->quad_decimate = static_cast<float>(decimate);
    image_u8_t pixels{picture.width, picture.height, picture.stride, const_cast<uint8_t*>(picture.pixels)};
    const std::unique_ptr<zarray_t, void (*)(zarray_t*)> found{apriltag_detector_detect(detector_.get(), &pixels),
                                                               apriltag_detections_destroy};
    for (int i = 0; i < zarray_size(found.get()); i++) {
      const apriltag_detection_t* detection;
      zarray_get(found.get(), i, &detection);
      FoundTag& tag = tags_.emplace_back();
      tag.family = detection->family;
      tag.id = detection->id;
      tag.hamming = detection->hamming;
      tag.margin = detection->decision_margin;
      std::copy(detection->c, detection->c + 2, tag.center);
      std::copy(&detection->p[0][0], &detection->p[0][0] + 8, &tag.corners[0][0]);
      std::copy(detection->H->data, detection->H->data + 9, tag.homography.m.begin());
    }
    return tags_;
  }

 private:
  const std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(),
                                                                                       apriltag_detector_destroy};
  std::vector<FoundTag> tags_;
};

/** CPU of one search at decimate 1, us. */
inline int64_t timed_us(TagSearch& search, const GreyView& picture) {
  const int64_t before_us = thread_cpu_us();
  search.find(picture, 1);
  return thread_cpu_us() - before_us;
}

/** Ends the program with a word on stderr where there is no such family. */
inline FamilyOwner named_family(const char* program, const char* name) {
  FamilyOwner family = make_family(name);
  if (family) return family;
  std::fprintf(stderr, "%s: there is no family %s\n", program, name);
  std::exit(1);
}

/** What a node makes of the tags that pass `is_good`: those with its least margin, and of each place the best. */
template <typename IsGood>
std::vector<FoundTag> as_of_node(const std::vector<FoundTag>& tags, IsGood is_good) {
  constexpr double MIN_MARGIN = 5;
  TagPlaces::List sure;
  for (const FoundTag& tag : tags)
    if (tag.margin >= MIN_MARGIN && is_good(tag)) sure.push_back(&tag);
  std::vector<FoundTag> out;
  TagPlaces places;
  for (const FoundTag* tag : places.best_of(sure)) out.push_back(*tag);
  return out;
}

inline std::vector<FoundTag> as_of_node(const std::vector<FoundTag>& tags) {
  return as_of_node(tags, [](const FoundTag&) { return true; });
}

}  // namespace vedette
