// What a model may have found, before the same thing found twice is counted once.
#pragma once

#include <cstddef>
#include <vector>

namespace vedette {

/**
 * An upright box in pixels of the model's input, from its first corner to its last. at: its place in the answer of the
 * model.
 */
struct Candidate {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, confidence = 0;
  int label = 0;
  size_t at = 0;
};

/**
 * The likeliest of those that are put in; of equal ones those that stand first. Takes no more memory once it has been
 * full.
 */
class Candidates {
 public:
  /** least: those below are not taken. labels: only these; empty: all. */
  void begin(double least, const std::vector<int>& labels);

  /** Whether one of this confidence could still be taken, so that it is worth to look at the rest of it. */
  bool wants(double confidence) const { return confidence >= least_; }

  /** Boxes that are none (no numbers, nothing in them) are left out. */
  void put(const Candidate& candidate);

  /**
   * The likeliest first, at most `most`. Of two of one label whose common part is more than `max_overlap` of both
   * together the likelier is kept. Until the next begin.
   */
  const std::vector<Candidate>& distinct(double max_overlap, size_t most);

 private:
  double least_ = 0;
  const std::vector<int>* labels_ = nullptr;
  std::vector<Candidate> rows_, kept_;  // rows_: a heap, the one that goes first on top
};

}  // namespace vedette
