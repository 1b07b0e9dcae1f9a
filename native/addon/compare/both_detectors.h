// The two detectors that nodes can have, on one picture after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tag_detector.h"

namespace vedette {

/** A family to look for, as parameters of the nodes have it. */
struct FamilyChoice {
  std::string name;
  double min_margin = 0, max_hamming = 0;
};

/**
 * What a detector found. cpu_us: of the thread, the median of some rounds. is_alone: for each tag whether the other
 * detector did not find it.
 */
struct Answer {
  Detections tags;
  std::vector<bool> is_alone;
  double cpu_us = 0;
};

/** reference: libapriltag. vedette: this service's own. */
struct Answers {
  Answer reference, vedette;
};

/** Whole nodes, as they run in pipelines: of each place the best reading, and corners from whole edges. */
class BothDetectors {
 public:
  /** Throws Fault `engine.bad_task` for a family that there is none of. */
  BothDetectors(const std::vector<FamilyChoice>& families, double decimate);

  /** Turn about, so that both have the same machine. */
  Answers look(const GrayImage& picture);

 private:
  TagDetector reference_, vedette_;
};

}  // namespace vedette
