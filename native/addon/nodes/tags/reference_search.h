// Tags as libapriltag finds them.
#pragma once

#include <apriltag/apriltag.h>

#include <memory>
#include <vector>

#include "node.h"
#include "tag_search.h"

namespace vedette {

/**
 * What libapriltag is told. threads: of the detector; refine_edges: whether edges are moved to the strongest gradient.
 */
struct ReferenceOptions {
  double blur_px = 0;
  int threads = 1;
  bool refine_edges = true;
};

class ReferenceSearch : public TagSearch {
 public:
  /** Throws Fault `engine.bad_task` where a family's table of codes would be too large. */
  ReferenceSearch(const std::vector<SoughtFamily>& sought, const ReferenceOptions& options);

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& = {}) override;

 private:
  /**
   * libapriltag 3.3 starts its threads with the first picture and hands them its tasks meanwhile, without a lock. Where
   * the list of tasks grows while a thread looks into it, the process dies; and where one starts between the tasks and
   * the order to begin, it is counted twice, so that the tasks are taken for done and given back while another still
   * works on them. So the first picture is one that has to be blurred before there are tasks, which nobody helps with:
   * all of them start meanwhile, and wait. With 0.3 ms of waiting put before that order, one start in a hundred was the
   * last with the smallest picture, one in two thousand with one that is blurred for 2 ms, and none of 4,500 with this
   * one.
   */
  void start_threads();
  /** The picture as libapriltag wants it: a copy when it would blur the picture in place, which others read too. */
  image_u8_t view(const GreyView& picture);

  const std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(),
                                                                                       apriltag_detector_destroy};
  std::vector<FoundTag> tags_;
  GrayImage copy_;
};

}  // namespace vedette
