// The tags of a stream's pictures, looked for where they must be by now.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tag_search.h"
#include "tag_track.h"

namespace vedette {

/**
 * Looks around the places where tags are expected, and at once farther around where one is not found; and in each
 * picture at one of LAP parts of it, so that a new tag is seen within so many pictures, and none pays for a whole one.
 * Parts are strips; tags that are higher than what neighbours share are seen in the last part, which is all of the
 * picture in half its size. In two other pictures of a lap all of it is looked at in a quarter of its size, so that
 * large tags are seen within LARGE_LAP pictures.
 *
 * The whole is looked at where there is nothing to go by: the first time, after MAX_GAP_US, and in pictures of
 * another size; and where it is hardly more than what there is to look at anyway.
 */
class TagTracker : public TagSearch {
 public:
  static constexpr int LAP = 8, LARGE_LAP = 3;
  static constexpr int64_t MAX_GAP_US = 500'000;

  /** search: who looks. */
  explicit TagTracker(std::unique_ptr<TagSearch> search) : search_(std::move(search)) {}

  /** origin: each picture's is later than that of the one before. */
  const std::vector<FoundTag>& find(const GreyView& picture, double decimate,
                                    const PictureOrigin& origin = {}) override;

  bool was_too_much() const override { return was_too_much_; }

 private:
  /** Pixels of the picture, which are looked at smaller by a factor. */
  struct Box {
    cv::Rect pixels;
    int smaller;
  };

  /** What is looked at now. */
  struct Sight {
    GreyView picture;
    double decimate;
    PictureOrigin origin;
    bool is_noisy;

    cv::Rect whole() const { return {0, 0, picture.width, picture.height}; }
    /**
     * As many pixels more as it takes to be made black and white as the whole picture is, in which it begins with a
     * whole tile. Empty: it is none of the picture.
     */
    cv::Rect aligned(const cv::Rect2d& box, int smaller = 1) const;
  };

  bool has_nothing_to_go_by(const Sight& sight) const;
  void expect(const Sight& sight);
  /** The median of those that were seen last. */
  std::optional<PictureVelocity> default_velocity() const;
  void look_at_all(const Sight& sight);
  /** False where that is too much to be looked at one by one. */
  bool find_tracks(const Sight& sight);
  /**
   * By how much tags are off from where they were expected, in the median of those that were found, be it farther off
   * than they may be.
   */
  cv::Point2d knock_of(const Sight& sight) const;
  /** Along the sides over which tags come in, in a picture smaller by this. */
  void look_where_tags_come_in(const Sight& sight, int smaller);
  /** By how much strips overlap. */
  static double shared_px(const Sight& sight);
  void look_at_strip(const Sight& sight, int part);
  /**
   * Around those that have not been seen yet in this picture. False where that is too much to be looked at one by one.
   */
  bool look_around(const Sight& sight);
  /** The same for those that are not where they were expected; where it is too much, some wait. */
  void look_farther_around(const Sight& sight);
  void list_boxes(const Sight& sight, double widening);
  /** Makes one of all that overlap and are looked at in the same size. */
  static void join_overlapping(std::vector<Box>& boxes);
  static double share_of(const Sight& sight, const cv::Rect& pixels, int smaller);
  void look_at(const Sight& sight, const cv::Rect& pixels, int smaller);
  /** Whether a tag was found of which this is the nearest track. */
  bool is_seen(const TagTrack& track, const PictureOrigin& origin) const;
  /** Takes over what was found. */
  void follow(const PictureOrigin& origin);

  const std::unique_ptr<TagSearch> search_;
  std::vector<TagTrack> tracks_, followed_;
  std::vector<FoundTag> tags_;
  std::vector<Box> boxes_;
  cv::Point2d pan_;  // of the middle of the picture, since the last one; pixels
  int width_ = 0, height_ = 0, part_ = 0;
  int64_t captured_us_ = 0;
  bool was_too_much_ = false;
  double looked_at_ = 0;  // of the present picture, as a share of it
};

}  // namespace vedette
