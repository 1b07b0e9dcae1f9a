#include "tag_detector.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "tag_edges.h"

namespace vedette {

namespace {

constexpr int LEAST_SIDE_PX = 16;  // libapriltag divides by the number of its 4-pixel tiles, after decimation
constexpr int MOST_THREADS = 4;    // of one detector; what the registry says
constexpr int STEPS_ALONG = 8;     // of the window's edges: seen through a lens they bulge by less than a pixel between them
constexpr size_t MOST_READINGS = 1000;  // those of one place are compared with each other: noise that reads as thousands of tags would take seconds

// Of the picture with which threads start: 14 ms of work.
constexpr int FIRST_WIDTH_PX = 640, FIRST_HEIGHT_PX = 400;
constexpr float FIRST_BLUR_PX = 16;

// The tags of real pictures have at most 0.11, small, aslant and blurred as some are; what is read out of textures has 0.14 and more.
constexpr double MOST_WRONG_BORDER = 0.125;

// libapriltag ends the process that has no room for a table, and some would have gigabytes. The planner refuses these long before.
constexpr double MOST_TABLE_BYTES = 64e6;

/** Of a wider one libapriltag 3.3 writes before the first of its pixels, where a picture is hardly larger than its kernel. */
constexpr double MOST_BLUR = 5;

/** libapriltag makes the picture smaller by the whole part of the factor, but for 1.5, and places what it found by the factor itself. */
float whole_decimate(double decimate) { return decimate == 1.5 ? 1.5F : static_cast<float>(std::floor(std::clamp(decimate, 1.0, 8.0))); }

BorderSquare square_of(const apriltag_family_t& family) { return {family.width_at_border, family.reversed_border}; }

}  // namespace

WantedFamily wanted_family(const std::string& name) {
  const int index = static_cast<int>(std::find(TAG_FAMILIES, TAG_FAMILIES + TAG_FAMILY_COUNT, name) - TAG_FAMILIES);
  FamilyOwner owner = make_family(name);
  if (index == TAG_FAMILY_COUNT || !owner) throw Fault{"engine.bad_task", "there is no family of tags called " + name};
  return {index, std::move(owner)};
}

TagDetector::TagDetector(const Params& params, std::vector<WantedFamily> wanted) : decimate_(whole_decimate(params.number("decimate"))) {
  detector_->quad_decimate = decimate_;
  detector_->quad_sigma = static_cast<float>(std::clamp(params.number("blur"), 0.0, MOST_BLUR));
  detector_->nthreads = std::clamp(params.integer("threads"), 1, MOST_THREADS);
  detector_->refine_edges = params.flag("refine");
  const std::vector<double> min_margin = params.numbers("min_margin"), max_hamming = params.numbers("max_hamming");
  if (min_margin.size() != wanted.size() || max_hamming.size() != wanted.size()) throw Fault{"engine.bad_task", "margins and bits are not as many as families"};
  if (wanted.empty()) throw Fault{"engine.bad_task", "no family of tags is named"};
  for (size_t i = 0; i < wanted.size(); i++) {
    apriltag_family_t* family = wanted[i].owner.get();
    const int bits = static_cast<int>(std::clamp(max_hamming[i], 0.0, 2.0));
    if (table_bytes(*family, bits) > MOST_TABLE_BYTES) throw Fault{"engine.bad_task", std::string("so many bits of ") + family->name + " cannot be corrected: the table would be too large"};
    families_.push_back({wanted[i].index, min_margin[i], std::move(wanted[i].owner)});
    apriltag_detector_add_family_bits(detector_.get(), family, bits);
  }
  read_ids(params);
  if (detector_->nthreads > 1) start_threads();
}

void TagDetector::set_params(const Params& params) {
  const std::vector<double> min_margin = params.numbers("min_margin");
  if (min_margin.size() != families_.size()) throw Fault{"engine.bad_task", "margins are not as many as families"};
  read_ids(params);
  for (size_t i = 0; i < families_.size(); i++) families_[i].min_margin = min_margin[i];
}

void TagDetector::process(const Moment& moment, const Ports& ports) {
  static const LiveControls NONE;
  const LiveControls& live = moment.live ? *moment.live : NONE;
  const Image image = part_of(ports.in<Image>(0), live.window, moment.frame);
  Detections& out = ports.out<Detections>();
  out.clear();
  detector_->quad_decimate = live.decimate > 0 ? whole_decimate(live.decimate) : decimate_;
  if (std::min(image.width, image.height) < LEAST_SIDE_PX * detector_->quad_decimate) return;

  image_u8_t pixels = view(image);
  const std::unique_ptr<zarray_t, void (*)(zarray_t*)> found{apriltag_detector_detect(detector_.get(), &pixels), apriltag_detections_destroy};
  tags_.clear();
  for (int i = 0; i < zarray_size(found.get()); i++) {
    apriltag_detection_t* detection;
    zarray_get(found.get(), i, &detection);
    if (is_tag(*detection, image)) tags_.push_back(detection);
  }
  put_in_order();
  // Only then by id: one that nobody wants must not be taken for another that somebody wants.
  for (const apriltag_detection_t* tag : places_.best_of(tags_)) {
    Detection detection;
    if (is_wanted(tag->id) && in_source_pixels(*tag, image, detection) && is_within(live.window, moment.frame, detection)) out.push_back(detection);
  }
}

void TagDetector::put_in_order() {
  if (tags_.size() > MOST_READINGS) {
    std::nth_element(tags_.begin(), tags_.begin() + MOST_READINGS, tags_.end(), [](const apriltag_detection_t* a, const apriltag_detection_t* b) { return a->decision_margin > b->decision_margin; });
    tags_.resize(MOST_READINGS);
  }
  const auto rank = [](const apriltag_detection_t* tag) { return std::make_tuple(tag->id, tag->hamming, tag->c[0], tag->c[1]); };
  std::sort(tags_.begin(), tags_.end(), [&](const apriltag_detection_t* a, const apriltag_detection_t* b) { return rank(a) < rank(b); });
}

void TagDetector::start_threads() {
  const float decimate = std::exchange(detector_->quad_decimate, 1.0F), blur = std::exchange(detector_->quad_sigma, FIRST_BLUR_PX);
  std::vector<uint8_t> pixels(FIRST_WIDTH_PX * FIRST_HEIGHT_PX);
  image_u8_t first{FIRST_WIDTH_PX, FIRST_HEIGHT_PX, FIRST_WIDTH_PX, pixels.data()};
  apriltag_detections_destroy(apriltag_detector_detect(detector_.get(), &first));
  detector_->quad_decimate = decimate;
  detector_->quad_sigma = blur;
  // It would find nothing, and try again with each picture, and each time keep those threads that did start.
  if (!detector_->wp) detector_->nthreads = 1;
}

void TagDetector::read_ids(const Params& params) {
  std::vector<int> ids;
  for (const double id : params.numbers("ids")) ids.push_back(static_cast<int>(std::clamp(id, -1.0, 1e9)));
  std::sort(ids.begin(), ids.end());
  ids_ = std::move(ids);
}

Image TagDetector::part_of(const Image& image, const Window& window, const Frame& source) {
  if (window.is_whole() || image.is_empty()) return image;
  const FromSource from_source(image.to_source);
  double left = image.width, top = image.height, right = 0, bottom = 0;
  for (int i = 0; i <= STEPS_ALONG; i++) {
    const double share = static_cast<double>(i) / STEPS_ALONG, across = window.x0 + share * (window.x1 - window.x0), down = window.y0 + share * (window.y1 - window.y0);
    for (const auto& [u, v] : {std::pair{across, window.y0}, {across, window.y1}, {window.x0, down}, {window.x1, down}}) {
      double x = u * source.width, y = v * source.height;
      if (!from_source.apply(x, y)) return image;  // a part of it lies beyond what the picture can show: all of that is looked at
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = std::max(bottom, y);
    }
  }
  const auto within = [](double place, int most) { return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(most))); };
  const int x0 = within(std::floor(left), image.width), x1 = within(std::ceil(right), image.width);
  const int y0 = within(std::floor(top), image.height), y1 = within(std::ceil(bottom), image.height);
  Image part = image;
  part.width = std::max(0, x1 - x0);
  part.height = std::max(0, y1 - y0);
  part.pixels += static_cast<size_t>(y0) * image.stride + static_cast<size_t>(x0) * image.channels();
  part.to_source = image.to_source.scaled(1, 1, x0, y0);
  return part;
}

/** By its centre: where the picture is turned or bent, more than the window is looked at. */
bool TagDetector::is_within(const Window& window, const Frame& source, const Detection& detection) {
  if (window.is_whole()) return true;
  const double x = detection.center[0] / source.width, y = detection.center[1] / source.height;
  return x >= window.x0 && x <= window.x1 && y >= window.y0 && y <= window.y1;
}

image_u8_t TagDetector::view(const Image& image) {
  uint8_t* pixels = const_cast<uint8_t*>(image.pixels);
  if (detector_->quad_sigma == 0 || detector_->quad_decimate > 1) return {image.width, image.height, image.stride, pixels};
  copy_.resize(image.width, image.height);
  for (int y = 0; y < image.height; y++)
    std::memcpy(&copy_.pixels[static_cast<size_t>(y) * copy_.stride], pixels + static_cast<size_t>(y) * image.stride, image.width);
  return {copy_.width, copy_.height, copy_.stride, copy_.pixels.data()};
}

const TagDetector::Family& TagDetector::family_of(const apriltag_detection_t& detection) const {
  return *std::find_if(families_.begin(), families_.end(), [&](const Family& family) { return family.owner.get() == detection.family; });
}

bool TagDetector::is_tag(const apriltag_detection_t& detection, const Image& image) const {
  if (!(detection.decision_margin >= family_of(detection).min_margin)) return false;
  return wrong_border_share(image, square_of(*detection.family), detection.p) <= MOST_WRONG_BORDER;
}

bool TagDetector::is_wanted(int id) const { return ids_.empty() || std::binary_search(ids_.begin(), ids_.end(), id); }

bool TagDetector::in_source_pixels(const apriltag_detection_t& detection, const Image& image, Detection& out) const {
  out.family = family_of(detection).index;
  out.id = detection.id;
  out.hamming = detection.hamming;
  out.margin = detection.decision_margin;
  double corners[4][2];
  std::copy(&detection.p[0][0], &detection.p[0][0] + 8, &corners[0][0]);
  out.sigma_px = refined(image, square_of(*detection.family), corners) * image.to_source.scale_at(detection.c[0], detection.c[1]);
  bool is_somewhere = image.to_source.apply(detection.c, out.center);
  for (int i = 0; i < 4; i++) is_somewhere = image.to_source.apply(corners[i], out.corners[i]) && is_somewhere;
  return is_somewhere;
}

double TagDetector::refined(const Image& image, const BorderSquare& square, double (&corners)[4][2]) const {
  if (!detector_->refine_edges) return RAW_SIGMA_PX * detector_->quad_decimate;
  const double sigma_px = refine_corners(image, square, corners);
  return sigma_px > 0 ? sigma_px : PLAIN_SIGMA_PX;
}

}  // namespace vedette
