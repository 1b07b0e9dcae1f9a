// Where black meets white in some rows of a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "border.h"
#include "runs.h"

namespace vedette {

/**
 * What of the borders lies in neighbouring rows, in the order in which it is met. What they are is known from sums,
 * which come for a whole stretch at once. Keeps its memory between pictures.
 */
class BorderBand {
 public:
  /**
   * first, last: from one row to before another; between the last and the one below is a part of it. height: rows of
   * the picture. As Borders::find has it.
   */
  void find(const Runs& black, const Runs& white, int first, int last, int height, Inside inside);

  const std::vector<Border>& all() const { return all_; }

  /** More of the border of the same two components, which is one of the next band. Returns its number here. */
  uint32_t add(const Border& more);

  /** From here on no border's points are wanted. */
  void want_none() { next_.assign(all_.size(), NOT_WANTED); }
  /** Of one of `all`: where the first of its points goes. */
  void want(uint32_t border, uint32_t first_point) { next_[border] = first_point; }
  bool wants(uint32_t border) const { return next_[border] != NOT_WANTED; }
  /** Where that was said; before make_points. */
  uint32_t first_point(uint32_t border) const { return next_[border]; }
  /** Of those that are wanted, row by row. */
  void make_points(BorderPoint* points);

 private:
  static constexpr uint32_t NOT_WANTED = UINT32_MAX;

  /** On which side of a stretch the white is. */
  enum class Turn : uint16_t { white_right, white_left, white_below, white_above };

  /**
   * Neighbouring places of one border: for `white_right` and `white_left` a single one between the pixels x and x + 1
   * of row y; else those between the rows y and y + 1, from pixel x on.
   */
  struct Stretch {
    uint32_t border;
    uint16_t x, y, length;
    Turn turn;

    bool is_across() const { return turn == Turn::white_below || turn == Turn::white_above; }
    /** Of its first point; the others follow two further to the right each. */
    int point_x() const { return 2 * x + !is_across(); }
    int point_y() const { return 2 * y + is_across(); }
  };

  void meet_in_row(const Runs& black, const Runs& white, int y);
  void meet_across(const Runs& upper, const Runs& lower, int y, Turn turn);
  void add(uint32_t white, uint32_t black, Stretch stretch);
  bool may_be_wanted(uint32_t white, uint32_t black) const;
  uint32_t border_of(uint32_t white, uint32_t black);
  void make_room();

  /**
   * The white component that a black one touched last, and the border between them, or NOT_WANTED: mostly it touches
   * the same one again.
   */
  struct Met {
    uint32_t white, border;
  };

  const ComponentBox *black_ = nullptr, *white_ = nullptr;
  std::vector<Met> met_;  // by the number of the black component
  Inside inside_{};
  std::vector<Border> all_;
  std::vector<Stretch> stretches_;
  std::vector<uint32_t> table_;  // of the borders' numbers and 1, by components; 0: nothing here
  std::vector<uint32_t> next_;   // by border: where its next point goes, or NOT_WANTED
};

}  // namespace vedette
