// The tags of a stream's pictures, looked for where they must be by now.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tag_search.h"
#include "tag_track.h"

namespace vedette {

/**
 * Looks around the places where tags are expected, and at once farther around where one is not found; and in each picture at one of LAP parts of it, so that a new tag is seen
 * within so many pictures, and none pays for a whole one. Parts are strips; tags that are higher than what neighbours share are seen in the last part, which is all of the
 * picture in half its size.
 *
 * The whole is looked at where there is nothing to go by: the first time, after LONGEST_GAP_US, and in pictures of another size; and where it is hardly more than what there is to look at
 * anyway.
 */
class TagTracker : public TagSearch {
 public:
  static constexpr int LAP = 8;
  static constexpr int64_t LONGEST_GAP_US = 500'000;

  /** search: who looks. */
  explicit TagTracker(std::unique_ptr<TagSearch> search) : search_(std::move(search)) {}

  /** origin: each picture's is later than that of the one before. */
  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& origin = {}) override;

 private:
  /** What is looked at now. align: pixels of which places are multiples, so that a part of the picture is made black and white as the whole is. */
  struct Sight {
    GreyView picture;
    double decimate;
    PictureOrigin origin;
    int align;

    cv::Rect whole() const { return {0, 0, picture.width, picture.height}; }
    /** With the pixels around that `align` wants, as far as there are any. */
    cv::Rect aligned(const cv::Rect2d& box) const;
  };

  bool has_nothing_to_go_by(const Sight& sight) const;
  void expect(int64_t captured_us);
  void look_at_all(const Sight& sight);
  void look_at_strip(const Sight& sight, int part);
  /** Around those that have not been seen yet in this picture, and were missed in no more before it. False where that is too much to be looked at one by one. */
  bool look_around(const Sight& sight, double widening, int most_misses);
  void look_at(const Sight& sight, const cv::Rect& box, double decimate);
  /** Unless the same tag was found before, with no more wrong bits. */
  void add(const FoundTag& tag);
  bool is_seen(const TagTrack& track, const PictureOrigin& origin) const;
  /** Takes over what was found. */
  void follow(const PictureOrigin& origin);

  const std::unique_ptr<TagSearch> search_;
  std::vector<TagTrack> tracks_, followed_;
  std::vector<FoundTag> tags_;
  std::vector<cv::Rect> boxes_;
  int width_ = 0, height_ = 0, part_ = 0;
  int64_t captured_us_ = 0;
};

}  // namespace vedette
