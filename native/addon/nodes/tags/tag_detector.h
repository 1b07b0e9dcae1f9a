// Tags of some families in a grey picture, by libapriltag. What it finds must have a border too and be the best reading of its place, and gets better corners.
#pragma once

#include "node.h"
#include "tag_border.h"
#include "tag_family.h"
#include "tag_places.h"

namespace vedette {

/** A family to look for. index: of TAG_FAMILIES, as what is found says. */
struct WantedFamily {
  int index;
  FamilyOwner owner;
};

/** By a name in TAG_FAMILIES. Throws Fault `engine.bad_task` for any other. */
WantedFamily wanted_family(const std::string& name);

/** Of all nodes that find tags. Parameters: decimate, blur, threads, refine, ids, and min_margin and max_hamming with one number for each of the families, in their order. */
class TagDetector : public Node {
 public:
  TagDetector(const Params& params, std::vector<WantedFamily> wanted);

  void set_params(const Params& params) override;
  void process(const Moment& moment, const Ports& ports) override;

 private:
  struct Family {
    int index;
    double min_margin;
    FamilyOwner owner;
  };

  /**
   * libapriltag 3.3 starts its threads with the first picture and hands them its tasks meanwhile, without a lock. Where the list of tasks grows while a thread
   * looks into it, the process dies; and where one starts between the tasks and the order to begin, it is counted twice, so that the tasks are taken for done
   * and given back while another still works on them. So the first picture is one that has to be blurred before there are tasks, which nobody helps with: all
   * of them start meanwhile, and wait. With 0.3 ms of waiting put before that order, one start in a hundred was the last with the smallest picture, one in
   * two thousand with one that is blurred for 2 ms, and none of 4,500 with this one.
   */
  void start_threads();
  /** Of more readings than any field has tags the surest; and those of one id not as the threads happened to find them. */
  void put_in_order();
  void read_ids(const Params& params);
  /** The picture as libapriltag wants it: a copy when it would blur the picture in place, which others read too. */
  image_u8_t view(const Image& image);
  /** What of the picture is looked at: all of it, or as little as has all of the window, which is one of the source's picture. */
  static Image part_of(const Image& image, const Window& window, const Frame& source);
  static bool is_within(const Window& window, const Frame& source, const Detection& detection);
  const Family& family_of(const apriltag_detection_t& detection) const;
  bool is_tag(const apriltag_detection_t& detection, const Image& image) const;
  bool is_wanted(int id) const;
  /** False where a corner is nowhere in the source: libapriltag finds some outside of its picture, and beyond its horizon there is nothing. */
  bool in_source_pixels(const apriltag_detection_t& detection, const Image& image, Detection& out) const;
  /** Refines corners if asked to; their standard deviation in pixels of `image`. */
  double refined(const Image& image, const BorderSquare& square, double (&corners)[4][2]) const;

  // The detector points to its families: it comes after them, so that it is destroyed before.
  std::vector<Family> families_;
  const float decimate_;  // unless a robot wants another
  const std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(), apriltag_detector_destroy};
  std::vector<int> ids_;
  TagPlaces::List tags_;
  TagPlaces places_;
  GrayImage copy_;
};

}  // namespace vedette
