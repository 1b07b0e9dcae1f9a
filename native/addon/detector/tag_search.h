// A way to find tags in pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "found_tag.h"
#include "grey_view.h"

namespace vedette {

/** A family to look for; it outlives the search. max_wrong: bits of a code that is still taken for a tag. */
struct SoughtFamily {
  const apriltag_family_t* family;
  int max_wrong;
};

/**
 * Where a picture comes from. left, top: of its first pixel, where it is a part of what the camera gave. captured_us:
 * when it was taken, by any clock that runs evenly. turned: takes places of the whole from where they were in the
 * picture before to where they are, as far as that comes of turning; none: that is not known. is_noisy: whether all of
 * the picture is (picture_noise.h), of which a part is handed in; none: it is not a part.
 */
struct PictureOrigin {
  int left = 0, top = 0;
  int64_t captured_us = 0;
  std::optional<Homography> turned{};
  std::optional<bool> is_noisy{};
};

/** Keeps its memory between pictures; not for two threads at once. */
class TagSearch {
 public:
  virtual ~TagSearch() = default;

  /**
   * The tags that have a border as printed; in a place there may be several readings. decimate: their outlines are
   * sought in a picture smaller by this. origin: for those who follow tags from picture to picture. Places are in
   * pixels of what is handed in. Valid until the next call.
   */
  virtual const std::vector<FoundTag>& find(const GreyView& picture, double decimate,
                                            const PictureOrigin& origin = {}) = 0;

  /**
   * Whether the last picture had more in it than was looked at in the size that was asked for: what is small in it may
   * be missed.
   */
  virtual bool was_too_much() const { return false; }
};

}  // namespace vedette
