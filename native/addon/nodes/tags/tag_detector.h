// Tags of some families in a grey picture: of each place the best reading, with better corners than those it was found
// by.
#pragma once

#include "node.h"
#include "picture_turn.h"
#include "tag_family.h"
#include "tag_places.h"
#include "tag_search.h"

namespace vedette {

/** A family to look for. index: of TAG_FAMILIES, as what is found says. */
struct WantedFamily {
  int index;
  FamilyOwner owner;
};

/** By a name in TAG_FAMILIES. Throws Fault `engine.bad_task` for any other. */
WantedFamily wanted_family(const std::string& name);

/**
 * Of all nodes that find tags. Parameters: engine, mode, decimate, blur, threads, refine, ids, and min_margin and
 * max_hamming with one number for each of the families, in their order. intrinsics: of the source, by which it is known
 * where a turn of the robot moves the picture.
 */
class TagDetector : public Node {
 public:
  TagDetector(const Params& params, std::vector<WantedFamily> wanted, const Intrinsics& intrinsics = {});

  void set_params(const Params& params) override;
  void process(const Moment& moment, const Ports& ports) override;

 private:
  struct Family {
    int index;
    double min_margin;
    FamilyOwner owner;
  };

  /**
   * Of more readings than any field has tags the surest; and those of one id not as the threads happened to find them.
   */
  void put_in_order();
  void read_ids(const Params& params);
  /** What of the picture is looked at. left, top: where it begins in that. */
  struct Part {
    Image image;
    int left = 0, top = 0;
  };

  /** All of it, or as little as has all of the window, which is one of the source's picture. */
  static Part part_of(const Image& image, const Window& window, const Frame& source);
  static bool is_within(const Window& window, const Frame& source, const Detection& detection);
  const Family& family_of(const FoundTag& tag) const;
  bool is_wanted(int id) const;
  void tell_too_full(const Moment& moment, const Image& image) const;
  /**
   * False where nobody knows where its corners are, or where one is nowhere in the source: some are found outside of
   * the picture, and beyond its horizon there is nothing.
   */
  bool in_source_pixels(const FoundTag& tag, const Image& image, double decimate, Detection& out) const;
  /**
   * Where a tag's corners are, and their standard deviation in pixels of `picture`; 0: nobody knows. Of a tag that
   * leaves the picture, what looks like its outline may be the picture's rim: where its corners are is known when its
   * edges, or all that is printed on it, tell it. Any other tag has its outline.
   */
  double place_corners(const GreyView& picture, const FoundTag& tag, double decimate, double (&corners)[4][2]) const;

  const std::string owner_;
  // The search points to the families: it comes after them, so that it is destroyed before.
  std::vector<Family> families_;
  const double decimate_;  // unless a robot wants another
  const bool refines_;
  std::unique_ptr<TagSearch> search_;
  std::optional<PictureTurn> turn_;  // where tags are followed
  std::vector<int> ids_;
  TagPlaces::List tags_;
  TagPlaces places_;
};

}  // namespace vedette
