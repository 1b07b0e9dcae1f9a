// The pixels of one colour as runs, and which of them hang together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vedette {

/** Pixels: left and top are its first, right and bottom those behind its last. */
struct ComponentBox {
  uint16_t left, top, right, bottom;
};

/** Pixels of one component next to each other in a row: from `begin` to before `end`. */
struct Run {
  uint16_t begin, end;
  uint32_t component;
};

/**
 * Runs of one colour, row after row. They hang together where they touch in neighbouring rows: along at least one
 * pixel, or, for the colour that also goes through corners, at a corner.
 *
 * Every run but the first of a component points to an earlier one of it: so the whole is told apart by one look from
 * first to last, and which is united with which when has no part in what comes out. Keeps its memory between pictures.
 */
class Runs {
 public:
  /** goes_through_corners: whether pixels that only share a corner hang together. */
  explicit Runs(bool goes_through_corners) : reach_(goes_through_corners ? 1 : 0) {}

  void clear();

  /** One more row. words: of its bits. */
  void add_row(const uint64_t* bits, int words);

  /** Adds all rows of another, which lie below. Before components are numbered in either. */
  void append(const Runs& below);

  /**
   * Once all rows are there: numbers the components, in the order of their first runs, and forgets those with fewer
   * pixels.
   */
  void number_components(uint32_t min_pixels);

  size_t size() const { return count_; }
  /** After number_components. The runs of row y are those from first(y) to before first(y + 1). */
  const Run* first(int y) const { return runs_.data() + rows_[y]; }
  const std::vector<ComponentBox>& components() const { return components_; }

 private:
  /**
   * Joins those of a row, which are from `above` to before `here`, with those of the next that they touch, from there
   * to before `end`.
   */
  void join(uint32_t above, uint32_t here, uint32_t end);
  uint32_t root(uint32_t run);

  const int reach_;
  // with room behind them; until they are numbered `component` is an earlier run of it, or the run itself
  std::vector<Run> runs_;
  uint32_t count_ = 0;
  std::vector<uint32_t> rows_{0}, pixels_;
  std::vector<ComponentBox> components_;
};

}  // namespace vedette
