// Pictures with drawn tags, and both detectors on them.
#pragma once

#include <apriltag/apriltag.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pictures.h"
#include "sheets.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette::test {

/** Made once for all tests. */
inline const apriltag_family_t& family_named(const std::string& name) {
  static std::map<std::string, FamilyOwner> made;
  auto at = made.find(name);
  if (at == made.end()) at = made.emplace(name, make_family(name)).first;
  return *at->second;
}

/** One kind with black inside, one with white inside, and one of which noise is full. */
inline std::vector<SoughtFamily> all_kinds(int max_wrong) {
  return {{&family_named("tag36h11"), max_wrong},
          {&family_named("tagStandard41h12"), max_wrong},
          {&family_named("tag16h5"), max_wrong}};
}

/** Writes pictures into a file, which another processor would draw with other pixels. */
void write_pictures(const char* path);

/** A line for what is found in each of them, the same on every processor. */
void print_fingerprints(const char* path);

struct DrawnTag {
  const apriltag_family_t* family;
  int id;
  Quad corners;
};

/** A picture and the tags that were drawn in it. */
struct DrawnSheet {
  cv::Mat picture;
  std::vector<DrawnTag> tags;

  void draw(const apriltag_family_t& family, int id, const Quad& sheet, Samples samples = Samples::grid) {
    tags.push_back({&family, id, draw_sheet(picture, printed(family, id), sheet, samples)});
  }
};

/** As many tags of one size as have room, each turned another way and aslant. side_px: of the marked square, about. */
inline DrawnSheet sheet_of(const apriltag_family_t& family, double side_px, int width, int height, uint64_t seed) {
  Dice dice(seed);
  DrawnSheet out{wall(width, height), {}};
  const double whole_px = side_px * family.total_width / family.width_at_border, pitch_px = 1.6 * whole_px + 6;
  for (double y = pitch_px / 2; y + pitch_px / 2 <= height; y += pitch_px)
    for (double x = pitch_px / 2; x + pitch_px / 2 <= width; x += pitch_px) {
      const cv::Point2f place{static_cast<float>(x + dice.below(100) / 100.0),
                              static_cast<float>(y + dice.below(100) / 100.0)};
      out.draw(family, dice.below(static_cast<int>(family.ncodes)),
               slanted(place, static_cast<float>(whole_px), dice.below(3600) / 10.0));
    }
  return out;
}

/** Several sizes and kinds at once. */
inline DrawnSheet mixed_sheet(int width, int height, uint64_t seed) {
  Dice dice(seed);
  DrawnSheet out{wall(width, height), {}};
  const std::vector<SoughtFamily> kinds = all_kinds(0);
  for (int y = 0; y + 100 <= height; y += 100)
    for (int x = 0; x + 100 <= width; x += 100) {
      const apriltag_family_t& family = *kinds[dice.below(3)].family;
      out.draw(family, dice.below(static_cast<int>(family.ncodes)),
               slanted({x + 50.0f, y + 50.0f}, 25.0f + dice.below(45), dice.below(360)));
    }
  return out;
}

/** libapriltag as it judges: one thread, corners refined; all pixels, or every so many'th. */
class Reference {
 public:
  explicit Reference(const std::vector<SoughtFamily>& sought, float decimate = 1)
      : detector_(apriltag_detector_create(), apriltag_detector_destroy) {
    detector_->quad_decimate = decimate;
    detector_->nthreads = 1;
    detector_->refine_edges = true;
    for (const SoughtFamily& each : sought)
      apriltag_detector_add_family_bits(detector_.get(), const_cast<apriltag_family_t*>(each.family), each.max_wrong);
  }
  ~Reference() { apriltag_detector_clear_families(detector_.get()); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  std::vector<FoundTag> find(const GreyView& picture) {
    image_u8_t image{picture.width, picture.height, picture.stride, const_cast<uint8_t*>(picture.pixels)};
    zarray_t* found = apriltag_detector_detect(detector_.get(), &image);
    std::vector<FoundTag> out;
    for (int i = 0; i < zarray_size(found); i++) {
      apriltag_detection_t* each;
      zarray_get(found, i, &each);
      FoundTag& tag = out.emplace_back();
      tag.family = each->family, tag.id = each->id, tag.hamming = each->hamming, tag.margin = each->decision_margin;
      std::copy_n(each->c, 2, tag.center);
      std::copy_n(&each->p[0][0], 8, &tag.corners[0][0]);
    }
    apriltag_detections_destroy(found);
    return out;
  }

 private:
  std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_;
};

/** How far the corner that is farthest off is from its place. */
inline double off_px(const FoundTag& tag, const Quad& truth) {
  double most = 0;
  for (int i = 0; i < 4; i++)
    most = std::max(most, std::hypot(tag.corners[i][0] - truth[i].x, tag.corners[i][1] - truth[i].y));
  return most;
}

inline GreyView view_of(const cv::Mat& picture) {
  return {picture.data, picture.cols, picture.rows, static_cast<int>(picture.step)};
}

/** The one of that family and id with its middle within so many pixels; none: nullptr. */
inline const FoundTag* tag_at(const std::vector<FoundTag>& found, const apriltag_family_t* family, int id, double x,
                              double y, double within_px) {
  for (const FoundTag& each : found)
    if (each.family == family && each.id == id && std::hypot(each.center[0] - x, each.center[1] - y) < within_px)
      return &each;
  return nullptr;
}

}  // namespace vedette::test
