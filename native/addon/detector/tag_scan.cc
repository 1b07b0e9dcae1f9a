#include "tag_scan.h"

#include <algorithm>
#include <atomic>
#include <opencv2/imgproc.hpp>
#include <system_error>
#include <utility>

#include "picture_noise.h"
#include "same_tag.h"

namespace vedette {

namespace {

// What is smaller by this is looked at once, noisy or not: of 6,400 drawn tags of 12 to 200 px in much noise a look in
// a quarter of the size finds 7 more.
constexpr double CALM_DECIMATE = 2;
constexpr int MIN_PICTURE_PX = 2 * TILE_PX;
// Of what is looked through: with fewer pixels two threads gain too little. In parts of 74 real pictures they take 0.93
// of the time of one for 23,000 pixels, 0.78 for 41,000, 0.76 for 64,000 and 0.61 for 256,000; where other programs
// have the second processor, 1.26, 1.14, 1.07 and 1.01.
constexpr int64_t MIN_SHARED_PX = 64'000;

cv::Mat as_matrix(const GreyView& picture) {
  return {picture.height, picture.width, CV_8UC1, const_cast<uint8_t*>(picture.pixels),
          static_cast<size_t>(picture.stride)};
}

}  // namespace

TagScan::TagScan(const std::vector<SoughtFamily>& sought, double blur_px, VectorPath path, int threads)
    : blur_px_(blur_px), kernels_(*row_kernels(path)), runs_(kernels_) {
  uint32_t least = UINT32_MAX;
  for (const SoughtFamily& each : sought) {
    least = std::min(least, static_cast<uint32_t>(each.family->width_at_border));
    (each.family->reversed_border ? inside_.white : inside_.black) = true;
  }
  min_modules_ = least;
  try {
    if (threads > 1) second_.emplace();
  } catch (const std::system_error&) {
    // One finds the same.
  }
  for (int part = 0; part < (second_ ? MAX_THREADS : 1); part++) parts_.emplace_back(sought);
}

const std::vector<FoundTag>& TagScan::find(const GreyView& picture, double decimate, const PictureOrigin& origin) {
  tags_.clear();
  was_too_much_ = false;
  GreyView looked_at = prepared(picture, decimate);
  while (std::min(looked_at.width, looked_at.height) >= MIN_PICTURE_PX && !find_runs(looked_at)) {
    was_too_much_ = true;
    looked_at = prepared(picture, decimate *= 2);
  }
  if (std::min(looked_at.width, looked_at.height) < MIN_PICTURE_PX) return tags_;
  tags_ = tags_in(picture, looked_at);
  if (decimate >= CALM_DECIMATE || !(origin.is_noisy ? *origin.is_noisy : is_noisy(picture, kernels_))) return tags_;
  looked_at = prepared(picture, 2 * decimate);
  if (std::min(looked_at.width, looked_at.height) < MIN_PICTURE_PX || !find_runs(looked_at)) return tags_;
  for (const FoundTag& tag : tags_in(picture, looked_at)) add_once(tags_, tag);
  return tags_;
}

SecondThread* TagScan::second_for(const GreyView& looked_at) {
  return second_ && static_cast<int64_t>(looked_at.width) * looked_at.height >= MIN_SHARED_PX ? &*second_ : nullptr;
}

const std::vector<FoundTag>& TagScan::tags_in(const GreyView& picture, const GreyView& small) {
  found_.clear();
  if (!runs_.has_borders()) return found_;
  SecondThread* const second = second_for(small);
  borders_.find(runs_.black(), runs_.white(), small.height, inside_, second);
  const LookedAt looked_at(picture, small, min_modules_);
  choose_borders(borders_.all(), looked_at, inside_, wanted_);
  borders_.make_points(wanted_, second);
  read_borders(looked_at, second);
  return found_;
}

GreyView TagScan::prepared(const GreyView& picture, double decimate) {
  GreyView now = picture;
  const int width = static_cast<int>(picture.width / decimate), height = static_cast<int>(picture.height / decimate);
  if (decimate > 1) {
    if (std::min(width, height) < MIN_PICTURE_PX) return {};
    small_.resize(static_cast<size_t>(width) * height);
    now = {small_.data(), width, height, width};
    cv::resize(as_matrix(picture), as_matrix(now), {width, height}, 0, 0, cv::INTER_AREA);
  }
  if (blur_px_ > 0 && std::min(now.width, now.height) >= MIN_PICTURE_PX) {
    blurred_.resize(static_cast<size_t>(now.width) * now.height);
    const GreyView sharp = std::exchange(now, {blurred_.data(), now.width, now.height, now.width});
    cv::GaussianBlur(as_matrix(sharp), as_matrix(now), {0, 0}, blur_px_);
  }
  return now;
}

void TagScan::read_borders(const LookedAt& looked_at, SecondThread* second) {
  for (Part& part : parts_) part.tags.clear(), part.borders.clear();
  std::atomic<size_t> next{0};  // who is free takes it
  in_parts(second, [&](int nth) {
    Part& part = parts_[nth];
    for (size_t i = next++; i < wanted_.size(); i = next++) {
      part.reader.read(looked_at, borders_.all()[wanted_[i]], borders_.points_of(i), part.tags);
      part.borders.resize(part.tags.size(), i);
    }
  });
  // As one alone would have found them.
  size_t at[MAX_THREADS] = {};
  const auto border_at = [&](size_t nth) {
    return nth < parts_.size() && at[nth] < parts_[nth].tags.size() ? parts_[nth].borders[at[nth]] : SIZE_MAX;
  };
  while (std::min(border_at(0), border_at(1)) < SIZE_MAX) {
    const size_t nth = border_at(0) < border_at(1) ? 0 : 1;
    found_.push_back(parts_[nth].tags[at[nth]++]);
  }
}

}  // namespace vedette
