// AprilTags in a grey picture, by libapriltag. What it finds must have a border too and be the best reading of its place, and gets better corners.
#include <apriltag/apriltag.h>
#include <apriltag/tag16h5.h>
#include <apriltag/tag25h9.h>
#include <apriltag/tag36h11.h>

#include <algorithm>
#include <cstring>

#include "tag_border.h"
#include "tag_edges.h"
#include "tag_nodes.h"
#include "tag_places.h"

namespace vedette {

namespace {

constexpr int LEAST_SIDE_PX = 16;  // libapriltag divides by the number of its 4-pixel tiles, after decimation

// The tags of real pictures have at most 0.11, small, aslant and blurred as some are; what is read out of textures has 0.14 and more.
constexpr double MOST_WRONG_BORDER = 0.125;

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
    const std::vector<std::string> wanted = params.strings("families");
    const std::vector<double> min_margin = params.numbers("min_margin"), max_hamming = params.numbers("max_hamming");
    if (min_margin.size() != wanted.size() || max_hamming.size() != wanted.size()) throw Fault{"engine.bad_task", "margins and bits are not as many as families"};
    for (size_t i = 0; i < wanted.size(); i++) {
      const int index = static_cast<int>(std::find(TAG_FAMILIES, TAG_FAMILIES + TAG_FAMILY_COUNT, wanted[i]) - TAG_FAMILIES);
      if (index == TAG_FAMILY_COUNT) continue;
      families_.push_back({index, min_margin[i], make_family(index)});
      apriltag_detector_add_family_bits(detector_.get(), families_.back().owner.get(), static_cast<int>(std::clamp(max_hamming[i], 0.0, 2.0)));
    }
    if (families_.empty()) throw Fault{"engine.bad_task", "no known family of tags is named"};
    read_ids(params);
  }

  void set_params(const Params& params) override {
    const std::vector<double> min_margin = params.numbers("min_margin");
    if (min_margin.size() != families_.size()) throw Fault{"engine.bad_task", "margins are not as many as families"};
    for (size_t i = 0; i < families_.size(); i++) families_[i].min_margin = min_margin[i];
    read_ids(params);
  }

  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Detections& out = ports.out<Detections>();
    out.clear();
    if (std::min(image.width, image.height) < LEAST_SIDE_PX * detector_->quad_decimate) return;

    image_u8_t pixels = view(image);
    zarray_t* found = apriltag_detector_detect(detector_.get(), &pixels);
    tags_.clear();
    for (int i = 0; i < zarray_size(found); i++) {
      apriltag_detection_t* detection;
      zarray_get(found, i, &detection);
      if (is_tag(*detection, image)) tags_.push_back(detection);
    }
    // Only then by id: one that nobody wants must not be taken for another that somebody wants.
    for (const apriltag_detection_t* tag : one_per_place(tags_))
      if (is_wanted(tag->id)) out.push_back(in_source_pixels(*tag, image));
    apriltag_detections_destroy(found);
  }

 private:
  struct Family {
    int index;
    double min_margin;
    FamilyOwner owner;
  };

  void read_ids(const Params& params) {
    ids_.clear();
    for (const double id : params.numbers("ids")) ids_.push_back(static_cast<int>(std::clamp(id, -1.0, 1e9)));
    std::sort(ids_.begin(), ids_.end());
  }

  /** The picture as libapriltag wants it: a copy when it would blur the picture in place, which others read too. */
  image_u8_t view(const Image& image) {
    uint8_t* pixels = const_cast<uint8_t*>(image.pixels);
    if (detector_->quad_sigma == 0 || detector_->quad_decimate > 1) return {image.width, image.height, image.stride, pixels};
    copy_.resize(image.width, image.height);
    for (int y = 0; y < image.height; y++)
      std::memcpy(&copy_.pixels[static_cast<size_t>(y) * copy_.stride], pixels + static_cast<size_t>(y) * image.stride, image.width);
    return {copy_.width, copy_.height, copy_.stride, copy_.pixels.data()};
  }

  const Family& family_of(const apriltag_detection_t& detection) const {
    return *std::find_if(families_.begin(), families_.end(), [&](const Family& family) { return family.owner.get() == detection.family; });
  }

  bool is_tag(const apriltag_detection_t& detection, const Image& image) const {
    if (!(detection.decision_margin >= family_of(detection).min_margin)) return false;
    return wrong_border_share(image, detection.family->width_at_border, detection.p) <= MOST_WRONG_BORDER;
  }

  bool is_wanted(int id) const { return ids_.empty() || std::binary_search(ids_.begin(), ids_.end(), id); }

  Detection in_source_pixels(const apriltag_detection_t& detection, const Image& image) const {
    Detection out;
    out.family = family_of(detection).index;
    out.id = detection.id;
    out.hamming = detection.hamming;
    out.margin = detection.decision_margin;
    double corners[4][2];
    std::copy(&detection.p[0][0], &detection.p[0][0] + 8, &corners[0][0]);
    out.sigma_px = refined(image, detection.family->width_at_border, corners) * image.to_source.scale_at(detection.c[0], detection.c[1]);
    image.to_source.apply(detection.c, out.center);
    for (int i = 0; i < 4; i++) image.to_source.apply(corners[i], out.corners[i]);
    return out;
  }

  /** Refines corners if asked to; their standard deviation in pixels of `image`. */
  double refined(const Image& image, int modules, double (&corners)[4][2]) const {
    if (!detector_->refine_edges) return RAW_SIGMA_PX * detector_->quad_decimate;
    const double sigma_px = refine_corners(image, modules, corners);
    return sigma_px > 0 ? sigma_px : PLAIN_SIGMA_PX;
  }

  // The detector points to its families: it comes after them, so that it is destroyed before.
  std::vector<Family> families_;
  const std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(), apriltag_detector_destroy};
  std::vector<int> ids_;
  std::vector<const apriltag_detection_t*> tags_;
  GrayImage copy_;
};

}  // namespace

std::unique_ptr<Node> make_apriltag_node(const Params& params, const Scene&) { return std::make_unique<AprilTagNode>(params); }

}  // namespace vedette
