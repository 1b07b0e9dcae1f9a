#include "tag_scan.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "picture_noise.h"
#include "quad_refine.h"
#include "same_tag.h"

namespace vedette {

namespace {

constexpr uint32_t LEAST_PIXELS = 25;  // of a component, as libapriltag has it
constexpr double LEAST_SIDE_PX = 3;    // of a tag, where pictures are made small
// What is smaller by this is looked at once, noisy or not: of 6,400 drawn tags of 12 to 200 px in much noise a look in a quarter of the size finds 7 more.
constexpr double CALM_DECIMATE = 2;
constexpr int LEAST_PICTURE_PX = 2 * TILE_PX;
constexpr int MOST_PICTURE_PX = 32767;  // of a side: places are kept in half pixels of 16 bits

// Of both colours, 8 bytes each, and as much again for what comes of them. Pictures of 1280x800 have 70,000, noise of that size half a million.
constexpr size_t MOST_RUNS = 2'000'000;

cv::Mat as_matrix(const GreyView& picture) { return {picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.pixels), static_cast<size_t>(picture.stride)}; }

}  // namespace

TagScan::TagScan(const std::vector<SoughtFamily>& sought, double blur_px, VectorPath path) : blur_px_(blur_px), kernels_(*row_kernels(path)), black_white_(kernels_) {
  uint32_t least = UINT32_MAX;
  for (const SoughtFamily& each : sought) {
    readers_.emplace_back(each);
    least = std::min(least, static_cast<uint32_t>(each.family->width_at_border));
    (each.family->reversed_border ? inside_.white : inside_.black) = true;
  }
  least_modules_ = least;
}

const std::vector<FoundTag>& TagScan::find(const GreyView& picture, double decimate, const PictureOrigin& origin) {
  tags_.clear();
  was_too_much_ = false;
  GreyView looked_at = prepared(picture, decimate);
  while (std::min(looked_at.width, looked_at.height) >= LEAST_PICTURE_PX && !find_runs(looked_at)) {
    was_too_much_ = true;
    looked_at = prepared(picture, decimate *= 2);
  }
  if (std::min(looked_at.width, looked_at.height) < LEAST_PICTURE_PX) return tags_;
  tags_ = tags_in(picture, looked_at);
  if (decimate >= CALM_DECIMATE || !(origin.is_noisy ? *origin.is_noisy : is_noisy(picture, kernels_))) return tags_;
  looked_at = prepared(picture, 2 * decimate);
  if (std::min(looked_at.width, looked_at.height) < LEAST_PICTURE_PX || !find_runs(looked_at)) return tags_;
  for (const FoundTag& tag : tags_in(picture, looked_at)) add_once(tags_, tag);
  return tags_;
}

const std::vector<FoundTag>& TagScan::tags_in(const GreyView& picture, const GreyView& looked_at) {
  found_.clear();
  if (!has_borders()) return found_;
  borders_.find(black_, white_, looked_at.height, inside_);
  const double scale_x = static_cast<double>(picture.width) / looked_at.width, scale_y = static_cast<double>(picture.height) / looked_at.height;
  // A module has a pixel at least, of the picture in which it is read.
  find_quads(looked_at, std::max(LEAST_SIDE_PX, least_modules_ / std::max(scale_x, scale_y)));
  read_quads(picture, scale_x, scale_y);
  return found_;
}

GreyView TagScan::prepared(const GreyView& picture, double decimate) {
  GreyView now = picture;
  const int width = static_cast<int>(picture.width / decimate), height = static_cast<int>(picture.height / decimate);
  if (decimate > 1) {
    if (std::min(width, height) < LEAST_PICTURE_PX) return {};
    small_.resize(static_cast<size_t>(width) * height);
    now = {small_.data(), width, height, width};
    cv::resize(as_matrix(picture), as_matrix(now), {width, height}, 0, 0, cv::INTER_AREA);
  }
  if (blur_px_ > 0 && std::min(now.width, now.height) >= LEAST_PICTURE_PX) {
    blurred_.resize(static_cast<size_t>(now.width) * now.height);
    const GreyView sharp = std::exchange(now, {blurred_.data(), now.width, now.height, now.width});
    cv::GaussianBlur(as_matrix(sharp), as_matrix(now), {0, 0}, blur_px_);
  }
  return now;
}

bool TagScan::find_runs(const GreyView& picture) {
  if (std::max(picture.width, picture.height) > MOST_PICTURE_PX) return false;
  black_.clear();
  white_.clear();
  black_white_.begin(picture);
  for (int y = 0; y < picture.height; y++) {
    const RowBits bits = black_white_.row(y);
    black_.add_row(bits.black, bits.words);
    white_.add_row(bits.white, bits.words);
    if (black_.size() + white_.size() > MOST_RUNS) return false;
  }
  black_.number_components(LEAST_PIXELS);
  if (has_borders()) white_.number_components(LEAST_PIXELS);
  return true;
}

void TagScan::find_quads(const GreyView& picture, double least_side_px) {
  wanted_.clear();
  quads_.clear();
  // One that goes round all of the picture has so many; a longer one is no outline.
  const uint32_t most_points = 2 * (picture.width + picture.height);
  const std::vector<Border>& all = borders_.all();
  for (uint32_t i = 0; i < all.size(); i++)
    if (all[i].points <= most_points && may_be_quad(all[i], least_side_px) && (is_black_inside(all[i]) ? inside_.black : inside_.white)) wanted_.push_back(i);
  borders_.make_points(wanted_);
  for (size_t i = 0; i < wanted_.size(); i++) quad_fit_.fit(picture, all[wanted_[i]], borders_.points_of(i), least_side_px, quads_);
}

void TagScan::read_quads(const GreyView& picture, double scale_x, double scale_y) {
  bool is_read = false;
  for (Quad& rough : quads_) {
    if (rough.is_second && is_read) continue;
    is_read = false;
    for (double (&corner)[2] : rough.corners) corner[0] *= scale_x, corner[1] *= scale_y;
    const auto may_read = [&](const TagReader& reader) { return reader.square().is_light != rough.is_black_inside && reader.may_say_something(picture, rough); };
    if (std::none_of(readers_.begin(), readers_.end(), may_read)) continue;
    Quad refined = rough;
    refine_quad(picture, refined, std::max(scale_x, scale_y));
    for (TagReader& reader : readers_) {
      if (reader.square().is_light == rough.is_black_inside) continue;
      if (const std::optional<FoundTag> tag = reader.read(picture, rough, refined)) found_.push_back(*tag), is_read = true;
    }
  }
}

}  // namespace vedette
