#include "tag_detector.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "reference_search.h"
#include "refined_corners.h"
#include "tag_edges.h"
#include "tag_scan.h"
#include "tag_tracker.h"

namespace vedette {

namespace {

constexpr int MAX_THREADS = 4;  // of one detector; what the registry says
// of the window's edges: seen through a lens they bulge by less than a pixel between them
constexpr int STEPS_ALONG = 8;
// those of one place are compared with each other: noise that reads as thousands of tags would take seconds
constexpr size_t MAX_READINGS = 1000;

/**
 * Of a wider one libapriltag 3.3 writes before the first of its pixels, where a picture is hardly larger than its
 * kernel.
 */
constexpr double MAX_BLUR = 5;

/**
 * libapriltag makes the picture smaller by the whole part of the factor, but for 1.5, and places what it found by the
 * factor itself.
 */
double whole_decimate(double decimate) { return decimate == 1.5 ? 1.5 : std::floor(std::clamp(decimate, 1.0, 8.0)); }

GreyView view_of(const Image& image) { return {image.pixels, image.width, image.height, image.stride}; }

std::unique_ptr<TagSearch> search_for_one_picture(const std::vector<SoughtFamily>& sought, const Params& params) {
  const double blur_px = std::clamp(params.number("blur"), 0.0, MAX_BLUR);
  const int threads = std::clamp(params.integer("threads"), 1, MAX_THREADS);
  if (params.string("engine") == "vedette")
    return std::make_unique<TagScan>(sought, blur_px, best_vector_path(), threads);
  return std::make_unique<ReferenceSearch>(sought, ReferenceOptions{blur_px, threads, params.flag("refine")});
}

bool follows(const Params& params) { return params.string("mode") == "tracked"; }

std::unique_ptr<TagSearch> search_for(const std::vector<SoughtFamily>& sought, const Params& params) {
  std::unique_ptr<TagSearch> search = search_for_one_picture(sought, params);
  return follows(params) ? std::make_unique<TagTracker>(std::move(search)) : std::move(search);
}

}  // namespace

WantedFamily wanted_family(const std::string& name) {
  const int index = family_index(name);
  FamilyOwner owner = make_family(name);
  if (index == TAG_FAMILY_COUNT || !owner) throw Fault{"engine.bad_task", "there is no family of tags called " + name};
  return {index, std::move(owner)};
}

TagDetector::TagDetector(const Params& params, std::vector<WantedFamily> wanted, const Intrinsics& intrinsics)
    : owner_(params.owner()), decimate_(whole_decimate(params.number("decimate"))), refines_(params.flag("refine")) {
  const std::vector<double> min_margin = params.numbers("min_margin"), max_hamming = params.numbers("max_hamming");
  if (min_margin.size() != wanted.size() || max_hamming.size() != wanted.size())
    throw Fault{"engine.bad_task", "margins and bits are not as many as families"};
  if (wanted.empty()) throw Fault{"engine.bad_task", "no family of tags is named"};
  std::vector<SoughtFamily> sought;
  for (size_t i = 0; i < wanted.size(); i++) {
    sought.push_back({wanted[i].owner.get(), static_cast<int>(std::clamp(max_hamming[i], 0.0, 2.0))});
    families_.push_back({wanted[i].index, min_margin[i], std::move(wanted[i].owner)});
  }
  search_ = search_for(sought, params);
  if (follows(params)) turn_.emplace(intrinsics);
  read_ids(params);
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
  const Image& whole = ports.in<Image>(0);
  const auto& [image, left, top] = part_of(whole, live.window, moment.frame);
  Detections& out = ports.out<Detections>();
  out.clear();
  const double decimate = live.decimate > 0 ? whole_decimate(live.decimate) : decimate_;
  tags_.clear();
  for (const FoundTag& tag : search_->find(
           view_of(image), decimate,
           {left, top, moment.frame.captured_us, turn_ ? turn_->since_last(moment, whole.to_source) : std::nullopt}))
    if (tag.margin >= family_of(tag).min_margin) tags_.push_back(&tag);
  if (search_->was_too_much()) tell_too_full(moment, image);
  put_in_order();
  // Only then by id: an unwanted one must not be taken for a wanted one.
  for (const FoundTag* tag : places_.best_of(tags_)) {
    Detection detection;
    if (is_wanted(tag->id) && in_source_pixels(*tag, image, decimate, detection) &&
        is_within(live.window, moment.frame, detection))
      out.push_back(detection);
  }
}

void TagDetector::put_in_order() {
  if (tags_.size() > MAX_READINGS) {
    std::nth_element(tags_.begin(), tags_.begin() + MAX_READINGS, tags_.end(),
                     [](const FoundTag* a, const FoundTag* b) { return a->margin > b->margin; });
    tags_.resize(MAX_READINGS);
  }
  const auto rank = [](const FoundTag* tag) {
    return std::make_tuple(tag->id, tag->hamming, tag->center[0], tag->center[1]);
  };
  std::sort(tags_.begin(), tags_.end(), [&](const FoundTag* a, const FoundTag* b) { return rank(a) < rank(b); });
}

void TagDetector::read_ids(const Params& params) {
  std::vector<int> ids;
  for (const double id : params.numbers("ids")) ids.push_back(static_cast<int>(std::clamp(id, -1.0, 1e9)));
  std::sort(ids.begin(), ids.end());
  ids_ = std::move(ids);
}

TagDetector::Part TagDetector::part_of(const Image& image, const Window& window, const Frame& source) {
  if (window.is_whole() || image.is_empty()) return {image};
  const FromSource from_source(image.to_source);
  double left = image.width, top = image.height, right = 0, bottom = 0;
  for (int i = 0; i <= STEPS_ALONG; i++) {
    const double share = static_cast<double>(i) / STEPS_ALONG, across = window.x0 + share * (window.x1 - window.x0),
                 down = window.y0 + share * (window.y1 - window.y0);
    for (const auto& [u, v] :
         {std::pair{across, window.y0}, {across, window.y1}, {window.x0, down}, {window.x1, down}}) {
      double x = u * source.width, y = v * source.height;
      // a part of it lies beyond what the picture can show: all of that is looked at
      if (!from_source.apply(x, y)) return {image};
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = std::max(bottom, y);
    }
  }
  const auto within = [](double place, int most) {
    return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(most)));
  };
  const int x0 = within(std::floor(left), image.width), x1 = within(std::ceil(right), image.width);
  const int y0 = within(std::floor(top), image.height), y1 = within(std::ceil(bottom), image.height);
  Part part{image, x0, y0};
  part.image.width = std::max(0, x1 - x0);
  part.image.height = std::max(0, y1 - y0);
  part.image.pixels += static_cast<size_t>(y0) * image.stride + static_cast<size_t>(x0) * image.channels();
  part.image.to_source = image.to_source.scaled(1, 1, x0, y0);
  return part;
}

/** By its centre: where the picture is turned or bent, more than the window is looked at. */
bool TagDetector::is_within(const Window& window, const Frame& source, const Detection& detection) {
  if (window.is_whole()) return true;
  const double x = detection.center[0] / source.width, y = detection.center[1] / source.height;
  return x >= window.x0 && x <= window.x1 && y >= window.y0 && y <= window.y1;
}

const TagDetector::Family& TagDetector::family_of(const FoundTag& tag) const {
  return *std::find_if(families_.begin(), families_.end(),
                       [&](const Family& family) { return family.owner.get() == tag.family; });
}

bool TagDetector::is_wanted(int id) const { return ids_.empty() || std::binary_search(ids_.begin(), ids_.end(), id); }

void TagDetector::tell_too_full(const Moment& moment, const Image& image) const {
  moment.tell_too_full("there is so much in a picture of " + size_text(image.width, image.height) + " that step " +
                       owner_ +
                       " has looked at it smaller than decimate says, and may have missed small tags; see to less "
                       "noise (more light, less gain), raise decimate, or crop the picture");
}

bool TagDetector::in_source_pixels(const FoundTag& tag, const Image& image, double decimate, Detection& out) const {
  out.family = family_of(tag).index;
  out.id = tag.id;
  out.hamming = tag.hamming;
  out.margin = tag.margin;
  double corners[4][2];
  const double sigma_px = place_corners(view_of(image), tag, decimate, corners);
  if (!(sigma_px > 0)) return false;
  out.sigma_px = sigma_px * image.to_source.scale_at(tag.center[0], tag.center[1]);
  bool is_somewhere = image.to_source.apply(tag.center, out.center);
  for (int i = 0; i < 4; i++) is_somewhere = image.to_source.apply(corners[i], out.corners[i]) && is_somewhere;
  return is_somewhere;
}

double TagDetector::place_corners(const GreyView& picture, const FoundTag& tag, double decimate,
                                  double (&corners)[4][2]) const {
  std::copy(&tag.corners[0][0], &tag.corners[0][0] + 8, &corners[0][0]);
  const bool is_whole = is_whole_in(picture, square_of(*tag.family), tag.homography);
  const double sigma_px = refines_ || !is_whole ? refine_corners(picture, tag, corners) : 0;
  if (!is_whole && !(sigma_px > 0)) return 0;
  if (refines_) return sigma_px > 0 ? sigma_px : PLAIN_SIGMA_PX;
  std::copy(&tag.corners[0][0], &tag.corners[0][0] + 8, &corners[0][0]);
  return RAW_SIGMA_PX * decimate;
}

}  // namespace vedette
