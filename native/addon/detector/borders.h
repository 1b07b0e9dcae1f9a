// Where black meets white: the border of one black and one white component is what may be the outline of a tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "border.h"
#include "border_band.h"
#include "runs.h"
#include "second_thread.h"

namespace vedette {

/**
 * The borders of a picture. What they are is known from sums alone; points are made of those that are wanted. Two
 * threads take half of the rows each: what comes of it is what one finds, in the same order. Keeps its memory between
 * pictures.
 */
class Borders {
 public:
  /**
   * Of components that are numbered. height: rows. inside: which colours may lie inside of the other; a component whose
   * box lies within that of the other is inside of it, and where that is not sought there is no border.
   */
  void find(const Runs& black, const Runs& white, int height, Inside inside, SecondThread* second = nullptr);

  const std::vector<Border>& all() const { return bands_[0].all(); }

  /**
   * Makes the points of those borders whose numbers are given, one border after the other, each row by row. second: as
   * find had it. Valid until the next call.
   */
  struct Points {
    const BorderPoint* points;
    size_t count;
  };
  void make_points(const std::vector<uint32_t>& wanted, SecondThread* second = nullptr);
  /** Of one of those that were wanted, by its place among them. */
  Points points_of(size_t index) const { return {&points_[starts_[index]], starts_[index + 1] - starts_[index]}; }

 private:
  BorderBand bands_[2];             // in the first one all borders come together
  std::vector<uint32_t> of_lower_;  // the numbers in it of those of the second
  std::vector<size_t> starts_;
  std::vector<BorderPoint> points_;
};

}  // namespace vedette
