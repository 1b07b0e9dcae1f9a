// All tags of a picture, by this service's own detector.
#pragma once

#include <optional>
#include <vector>

#include "border_reader.h"
#include "borders.h"
#include "picture_runs.h"
#include "second_thread.h"
#include "tag_search.h"

namespace vedette {

/**
 * Looks through whole pictures: black and white, runs of either colour, the borders between their components, the
 * quadrilaterals among these, and what those say. A noisy one is looked through in half the size as well, where each
 * pixel has a quarter of four pixels' noise: outlines that are torn in the full size are whole there. The same picture
 * gives the same answer, whatever the processor, on one thread or two. A picture with more in it than memory and time
 * allow (noise of many megapixels) is looked at in half the size, or a quarter. Design and budget:
 * docs/decisions/0193-a-detector-of-our-own.md; two threads: docs/decisions/0198-a-second-thread.md.
 */
class TagScan : public TagSearch {
 public:
  /**
   * sought: at least one. blur_px: standard deviation, of what is looked through for outlines. path: one that this
   * processor has. threads: that may be used; of more than MAX_THREADS so many, and one where the system has no room
   * for another.
   */
  explicit TagScan(const std::vector<SoughtFamily>& sought, double blur_px = 0, VectorPath path = best_vector_path(),
                   int threads = 1);

  static constexpr int MAX_THREADS = 2;

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate,
                                    const PictureOrigin& origin = {}) override;

  bool was_too_much() const override { return was_too_much_; }

 private:
  /**
   * What one thread needs to read borders, and what it has found: the tags of each border next to each other, in the
   * order of the borders.
   */
  struct Part {
    explicit Part(const std::vector<SoughtFamily>& sought) : reader(sought) {}

    BorderReader reader;
    std::vector<FoundTag> tags;
    std::vector<size_t> borders;  // of each tag: by its place among those that are wanted
  };

  /** A picture that is smaller or blurred; or the same one, when neither is wanted. */
  GreyView prepared(const GreyView& picture, double decimate);
  /** None where there is too little to do for two. */
  SecondThread* second_for(const GreyView& looked_at);
  /** False where there is too much in the picture. */
  bool find_runs(const GreyView& looked_at) { return runs_.find(looked_at, second_for(looked_at)); }
  /** The tags of a picture whose runs are there. small: the same, as it was cut into runs. */
  const std::vector<FoundTag>& tags_in(const GreyView& picture, const GreyView& small);
  /** Sets found_. */
  void read_borders(const LookedAt& looked_at, SecondThread* second);

  Inside inside_{};
  double min_modules_, blur_px_;
  const RowKernels& kernels_;
  PictureRuns runs_;
  Borders borders_;
  std::vector<uint32_t> wanted_;
  std::vector<Part> parts_;             // one for each thread
  std::vector<FoundTag> tags_, found_;  // of all looks, of one
  std::vector<uint8_t> small_, blurred_;
  bool was_too_much_ = false;
  std::optional<SecondThread> second_;
};

}  // namespace vedette
