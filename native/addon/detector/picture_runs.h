// A picture's black and white runs, and what hangs together of them.
#pragma once

#include "black_white.h"
#include "grey_view.h"
#include "runs.h"
#include "second_thread.h"

namespace vedette {

/**
 * Two threads take half of the rows each, and then a colour each: the same runs and components as one has. Keeps its
 * memory between pictures.
 */
class PictureRuns {
 public:
  explicit PictureRuns(const RowKernels& kernels) : halves_{Half(kernels), Half(kernels)} {}

  /** picture: at least TILE_PX wide and high. False where there is too much in it. */
  bool find(const GreyView& picture, SecondThread* second = nullptr);

  const Runs& black() const { return halves_[0].black; }
  const Runs& white() const { return halves_[0].white; }
  /** False where nothing is black, so that it meets nothing that is white: that has no components then. */
  bool has_borders() const { return !black().components().empty(); }

 private:
  /** What is cut of some rows; in the first one all of it comes together. */
  struct Half {
    explicit Half(const RowKernels& kernels) : black_white(kernels) {}
    size_t size() const { return black.size() + white.size(); }

    BlackWhite black_white;
    Runs black{false}, white{true};
  };

  /** From one row to before another. */
  static void cut(const GreyView& picture, int first, int last, Half& half);

  Half halves_[2];
};

}  // namespace vedette
