#include "tag_tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "corners.h"
#include "picture_noise.h"
#include "row_kernels.h"
#include "same_tag.h"

namespace vedette {

namespace {

constexpr int STRIPS = TagTracker::LAP - 1;

// What neighbouring strips share: tags that are higher, with their margin, are large enough to be seen in half the
// size.
constexpr double SHARED_OF_HEIGHT = 1.0 / 16, MIN_SHARED_PX = 48;

// Where the camera pans, tags come in over one side. What is searched there is as wide as what strips share; in the
// next picture, in half the size, twice that; and as far as the picture moves in three. In the third one all of it is
// searched in a quarter of the size: of 1,000 tags 3.3 are lost so, 7.4 where sides are searched in each picture and
// none in a quarter: most of those are wider than 96 px, too high for a strip and too wide for such a side.
constexpr int TURNS = TagTracker::LARGE_LAP;
constexpr int QUARTER = 4;
constexpr double MIN_PAN_PX = 2;  // from picture to picture

// A tag this wide is found as well in half the size, one twice as wide in a quarter, and so on.
constexpr double LARGE_PX = 128;
constexpr int MAX_SMALLER = 4;

// by which known tags are off, so that others are looked for again that much farther on
constexpr double MIN_KNOCK_PX = 2;
constexpr double MAX_KNOCK_SHARE = 0.25;  // of the picture's width

// around a tag: in which edges are sought, and a module of the margin
constexpr double NEEDED_PX = 4, NEEDED_OF_SIDE = 0.2;

constexpr int MIN_HEIGHT_PX = 240;  // of a picture, of which a strip would be less than half
// of the picture, looked at in parts: where more is wanted all of it is looked at, or those who were not where they
// were expected wait
constexpr double MAX_SHARE = 0.9;
constexpr double WIDENING = 4;  // where a tag is not where it was expected, and where it was missed before

/** The tag in a picture of which the one it was found in is a part. */
FoundTag moved(FoundTag tag, const cv::Point& by) {
  tag.center[0] += by.x, tag.center[1] += by.y;
  for (double(&corner)[2] : tag.corners) corner[0] += by.x, corner[1] += by.y;
  tag.homography = tag.homography.moved(by.x, by.y);
  return tag;
}

/**
 * Whether the box ends, within the picture, so near to the tag that its margin or what is around its edges is not all
 * in it: its corners would be worse.
 */
bool is_cut(const FoundTag& tag, const cv::Rect& box, const cv::Rect& whole) {
  const cv::Rect2d needed = box_around(tag.corners, NEEDED_PX + NEEDED_OF_SIDE * max_side(tag.corners));
  return (box.x > whole.x && needed.x < box.x) || (box.y > whole.y && needed.y < box.y) ||
         (box.br().x < whole.br().x && needed.br().x > box.br().x) ||
         (box.br().y < whole.br().y && needed.br().y > box.br().y);
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

GreyView part_of(const GreyView& picture, const cv::Rect& box) {
  return {picture.row(box.y) + box.x, box.width, box.height, picture.stride};
}

}  // namespace

void TagTracker::join_overlapping(std::vector<Box>& boxes) {
  for (size_t i = 0; i < boxes.size(); i++)
    for (size_t j = i + 1; j < boxes.size();) {
      if (boxes[i].smaller != boxes[j].smaller || (boxes[i].pixels & boxes[j].pixels).empty()) {
        j++;
        continue;
      }
      boxes[i].pixels |= boxes[j].pixels;
      boxes[j] = boxes.back();
      boxes.pop_back();
      j = i + 1;  // it has grown, and may touch one that was passed over
    }
}

cv::Rect TagTracker::Sight::aligned(const cv::Rect2d& box, int smaller) const {
  const cv::Rect2d seen = box & cv::Rect2d(whole());
  if (seen.empty()) return {};
  const int align = static_cast<int>(std::ceil(2 * TILE_PX * decimate)) * smaller;  // twice, for decimate may be 1.5
  const auto down = [&](double place) { return static_cast<int>(place / align) * align; };
  const auto up = [&](double place, int most) {
    return std::min(static_cast<int>(std::ceil(place / align)) * align, most);
  };
  const int left = down(seen.x), top = down(seen.y);
  return {left, top, up(seen.x + seen.width, picture.width) - left, up(seen.y + seen.height, picture.height) - top};
}

const std::vector<FoundTag>& TagTracker::find(const GreyView& picture, double decimate, const PictureOrigin& origin) {
  const Sight sight{picture, decimate, origin, is_noisy(picture, *row_kernels(best_vector_path()))};
  tags_.clear();
  looked_at_ = 0;
  was_too_much_ = false;
  if (has_nothing_to_go_by(sight)) {
    tracks_.clear();
    part_ = 0;
    look_at_all(sight);
  } else {
    expect(sight);
    const int part = std::exchange(part_, (part_ + 1) % LAP);
    // What is seen in a strip need not be looked for; corners that were found in half the size are worse.
    if (part < STRIPS) look_at_strip(sight, part);
    if (!find_tracks(sight)) look_at_all(sight);
    else if (part == STRIPS) look_at(sight, sight.whole(), 2);
    else if (part % TURNS == TURNS - 1) look_at(sight, sight.whole(), QUARTER);
    else look_where_tags_come_in(sight, 1 + part % TURNS);
  }
  follow(origin);
  width_ = picture.width, height_ = picture.height, captured_us_ = origin.captured_us;
  return tags_;
}

bool TagTracker::has_nothing_to_go_by(const Sight& sight) const {
  const int64_t after_us = sight.origin.captured_us - captured_us_;
  return sight.picture.width != width_ || sight.picture.height != height_ || sight.picture.height < MIN_HEIGHT_PX ||
         after_us <= 0 || after_us > MAX_GAP_US;
}

void TagTracker::expect(const Sight& sight) {
  const PictureVelocity usual = default_velocity().value_or(PictureVelocity());
  for (TagTrack& track : tracks_) track.expect(sight.origin, usual);
  const auto after_us = static_cast<double>(sight.origin.captured_us - captured_us_);
  pan_ = {usual.x * after_us, usual.y * after_us};
  if (!sight.origin.turned) return;
  const double x = sight.origin.left + sight.picture.width / 2.0, y = sight.origin.top + sight.picture.height / 2.0;
  double turned_x, turned_y;
  sight.origin.turned->apply(x, y, turned_x, turned_y);
  pan_ += {turned_x - x, turned_y - y};
}

std::optional<PictureVelocity> TagTracker::default_velocity() const {
  std::vector<double> across, down;
  for (const TagTrack& track : tracks_) {
    if (!track.has_velocity() || track.misses() > 0) continue;
    across.push_back(track.velocity().x);
    down.push_back(track.velocity().y);
  }
  return across.empty() ? std::nullopt : std::optional{PictureVelocity{median_of(across), median_of(down)}};
}

void TagTracker::look_at_all(const Sight& sight) {
  tags_.clear();
  look_at(sight, sight.whole(), 1);
}

bool TagTracker::find_tracks(const Sight& sight) {
  if (!look_around(sight)) return false;
  const auto is_seen_now = [&](const TagTrack& track) { return is_seen(track, sight.origin); };
  if (std::all_of(tracks_.begin(), tracks_.end(), is_seen_now)) return true;
  const auto was_seen = [](const TagTrack& track) { return track.misses() == 0; };
  if (std::any_of(tracks_.begin(), tracks_.end(), was_seen) &&
      std::none_of(tracks_.begin(), tracks_.end(), is_seen_now))
    look_at(sight, sight.whole(), 2);
  const cv::Point2d knock = knock_of(sight);
  if (std::hypot(knock.x, knock.y) > MIN_KNOCK_PX) {
    for (TagTrack& track : tracks_) track.move_expected(knock);
    pan_ += knock;
    if (!look_around(sight)) return false;
  }
  look_farther_around(sight);
  return true;
}

cv::Point2d TagTracker::knock_of(const Sight& sight) const {
  std::vector<double> across, down;
  for (const TagTrack& track : tracks_) {
    const auto distance = [&](const FoundTag& tag) { return track.distance_to(tag, sight.origin); };
    const auto nearest = std::min_element(
        tags_.begin(), tags_.end(), [&](const FoundTag& a, const FoundTag& b) { return distance(a) < distance(b); });
    if (track.misses() > 0 || nearest == tags_.end() || !(distance(*nearest) < MAX_KNOCK_SHARE * sight.picture.width))
      continue;
    across.push_back(nearest->center[0] + sight.origin.left - track.expected_center().x);
    down.push_back(nearest->center[1] + sight.origin.top - track.expected_center().y);
  }
  return across.empty() ? cv::Point2d() : cv::Point2d(median_of(across), median_of(down));
}

void TagTracker::look_where_tags_come_in(const Sight& sight, int smaller) {
  const double width = sight.picture.width, height = sight.picture.height;
  const auto reach = [&](double pan) { return smaller * shared_px(sight) + TURNS * std::fabs(pan); };
  const auto look = [&](const cv::Rect2d& band) { look_at(sight, sight.aligned(band, smaller), smaller); };
  if (std::fabs(pan_.x) > MIN_PAN_PX) look({pan_.x > 0 ? 0 : width - reach(pan_.x), 0, reach(pan_.x), height});
  if (std::fabs(pan_.y) > MIN_PAN_PX) look({0, pan_.y > 0 ? 0 : height - reach(pan_.y), width, reach(pan_.y)});
}

double TagTracker::shared_px(const Sight& sight) {
  return std::max(SHARED_OF_HEIGHT * sight.picture.height, MIN_SHARED_PX * sight.decimate);
}

void TagTracker::look_at_strip(const Sight& sight, int part) {
  const cv::Rect whole = sight.whole();
  const double shared = shared_px(sight), step = (whole.height - shared) / STRIPS;
  look_at(sight, sight.aligned({0, part * step, static_cast<double>(whole.width), step + shared}), 1);
}

bool TagTracker::look_around(const Sight& sight) {
  list_boxes(sight, 1);
  double share = 0;
  for (const Box& box : boxes_) share += share_of(sight, box.pixels, box.smaller);
  if (looked_at_ + share > MAX_SHARE) return false;
  for (const Box& box : boxes_) look_at(sight, box.pixels, box.smaller);
  return true;
}

void TagTracker::look_farther_around(const Sight& sight) {
  list_boxes(sight, WIDENING);
  for (const Box& box : boxes_)
    if (looked_at_ + share_of(sight, box.pixels, box.smaller) <= MAX_SHARE) look_at(sight, box.pixels, box.smaller);
}

void TagTracker::list_boxes(const Sight& sight, double widening) {
  boxes_.clear();
  for (const TagTrack& track : tracks_) {
    if (is_seen(track, sight.origin)) continue;
    int smaller = 1;
    while (smaller < MAX_SMALLER && track.expected_side_px() >= smaller * LARGE_PX * sight.decimate) smaller *= 2;
    const cv::Rect pixels =
        sight.aligned(track.surroundings(widening) - cv::Point2d(sight.origin.left, sight.origin.top), smaller);
    if (!pixels.empty()) boxes_.push_back({pixels, smaller});
  }
  join_overlapping(boxes_);
}

double TagTracker::share_of(const Sight& sight, const cv::Rect& pixels, int smaller) {
  return pixels.area() / (static_cast<double>(smaller) * smaller * sight.whole().area());
}

void TagTracker::look_at(const Sight& sight, const cv::Rect& pixels, int smaller) {
  looked_at_ += share_of(sight, pixels, smaller);
  PictureOrigin part;
  part.is_noisy = sight.is_noisy;
  for (const FoundTag& found : search_->find(part_of(sight.picture, pixels), smaller * sight.decimate, part)) {
    const FoundTag tag = moved(found, pixels.tl());
    if (!is_cut(tag, pixels, sight.whole())) add_once(tags_, tag);
  }
  was_too_much_ = was_too_much_ || search_->was_too_much();
}

bool TagTracker::is_seen(const TagTrack& track, const PictureOrigin& origin) const {
  return std::any_of(tags_.begin(), tags_.end(), [&](const FoundTag& tag) {
    const double distance = track.distance_to(tag, origin);
    const auto is_nearer = [&](const TagTrack& other) { return other.distance_to(tag, origin) < distance; };
    return distance <= WIDENING * track.reach_px() && std::none_of(tracks_.begin(), tracks_.end(), is_nearer);
  });
}

void TagTracker::follow(const PictureOrigin& origin) {
  followed_.clear();
  for (const FoundTag& tag : tags_) {
    const auto nearest = std::min_element(tracks_.begin(), tracks_.end(), [&](const TagTrack& a, const TagTrack& b) {
      return a.distance_to(tag, origin) < b.distance_to(tag, origin);
    });
    if (nearest == tracks_.end() || !(nearest->distance_to(tag, origin) <= WIDENING * nearest->reach_px())) {
      followed_.emplace_back(tag, origin);
      continue;
    }
    nearest->saw(tag, origin);
    followed_.push_back(*nearest);
    tracks_.erase(nearest);
  }
  // What is left was not seen.
  tracks_.swap(followed_);
  const std::optional<PictureVelocity> usual = default_velocity();
  for (TagTrack& track : followed_) {
    track.missed(origin.captured_us, usual);
    if (track.misses() < LAP) tracks_.push_back(track);
  }
}

}  // namespace vedette
