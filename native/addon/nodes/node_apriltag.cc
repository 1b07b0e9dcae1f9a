// AprilTags in a grey picture, by libapriltag. It already keeps only the best of several overlapping detections of one id.
#include <apriltag/apriltag.h>
#include <apriltag/tag16h5.h>
#include <apriltag/tag25h9.h>
#include <apriltag/tag36h11.h>

#include <algorithm>
#include <cstring>

#include "node.h"

namespace vedette {

namespace {

constexpr int LEAST_SIDE_PX = 16;  // libapriltag divides by the number of its 4-pixel tiles, after decimation

using FamilyOwner = std::unique_ptr<apriltag_family_t, void (*)(apriltag_family_t*)>;

/** By the index of TAG_FAMILIES. */
FamilyOwner make_family(int index) {
  switch (index) {
    case 0: return {tag36h11_create(), tag36h11_destroy};
    case 1: return {tag25h9_create(), tag25h9_destroy};
    default: return {tag16h5_create(), tag16h5_destroy};
  }
}

class AprilTagNode : public Node {
 public:
  explicit AprilTagNode(const Params& params) {
    detector_->quad_decimate = static_cast<float>(std::clamp(params.number("decimate"), 1.0, 8.0));
    detector_->quad_sigma = static_cast<float>(std::clamp(params.number("blur"), 0.0, 16.0));
    detector_->nthreads = std::clamp(params.integer("threads"), 1, 16);
    detector_->refine_edges = params.flag("refine");
    min_margin_ = params.number("min_margin");
    for (const double id : params.numbers("ids")) ids_.push_back(static_cast<int>(std::clamp(id, -1.0, 1e9)));
    std::sort(ids_.begin(), ids_.end());

    const int max_hamming = std::clamp(params.integer("max_hamming"), 0, 2);
    const std::vector<std::string> wanted = params.strings("families");
    for (int i = 0; i < TAG_FAMILY_COUNT; i++) {
      if (std::find(wanted.begin(), wanted.end(), TAG_FAMILIES[i]) == wanted.end()) continue;
      families_.push_back({i, make_family(i)});
      apriltag_detector_add_family_bits(detector_.get(), families_.back().owner.get(), max_hamming);
    }
    if (families_.empty()) throw Fault{"engine.bad_job", "no known family of tags is named"};
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Detections& out = ports.out<Detections>();
    out.clear();
    if (std::min(image.width, image.height) < LEAST_SIDE_PX * detector_->quad_decimate) return;

    image_u8_t pixels = view(image);
    zarray_t* found = apriltag_detector_detect(detector_.get(), &pixels);
    for (int i = 0; i < zarray_size(found); i++) {
      apriltag_detection_t* detection;
      zarray_get(found, i, &detection);
      if (detection->decision_margin >= min_margin_ && is_wanted(detection->id)) out.push_back(in_source_pixels(*detection, image));
    }
    apriltag_detections_destroy(found);
  }

 private:
  struct Family {
    int index;
    FamilyOwner owner;
  };

  /** The picture as libapriltag wants it: a copy when it would blur the picture in place, which others read too. */
  image_u8_t view(const Image& image) {
    uint8_t* pixels = const_cast<uint8_t*>(image.pixels);
    if (detector_->quad_sigma == 0 || detector_->quad_decimate > 1) return {image.width, image.height, image.stride, pixels};
    copy_.resize(image.width, image.height);
    for (int y = 0; y < image.height; y++)
      std::memcpy(&copy_.pixels[static_cast<size_t>(y) * copy_.stride], pixels + static_cast<size_t>(y) * image.stride, image.width);
    return {copy_.width, copy_.height, copy_.stride, copy_.pixels.data()};
  }

  bool is_wanted(int id) const { return ids_.empty() || std::binary_search(ids_.begin(), ids_.end(), id); }

  Detection in_source_pixels(const apriltag_detection_t& detection, const Image& image) const {
    const auto map = [&image](const double from[2], double to[2]) {
      to[0] = image.scale_x * from[0] + image.offset_x;
      to[1] = image.scale_y * from[1] + image.offset_y;
    };
    Detection out;
    for (const Family& family : families_)
      if (family.owner.get() == detection.family) out.family = family.index;
    out.id = detection.id;
    out.hamming = detection.hamming;
    out.margin = detection.decision_margin;
    map(detection.c, out.center);
    for (int i = 0; i < 4; i++) map(detection.p[i], out.corners[i]);
    return out;
  }

  // The detector points to its families: it comes after them, so that it is destroyed before.
  std::vector<Family> families_;
  const std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(), apriltag_detector_destroy};
  double min_margin_ = 0;
  std::vector<int> ids_;
  GrayImage copy_;
};

}  // namespace

std::unique_ptr<Node> make_apriltag_node(const Params& params, const Scene&) { return std::make_unique<AprilTagNode>(params); }

}  // namespace vedette
