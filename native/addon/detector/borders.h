// Where black meets white: the border of one black and one white component is what may be the outline of a tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runs.h"

namespace vedette {

/**
 * A place between two pixels of which one is black and one white, in half pixels: (1, 0) lies between the first two pixels of the first row, whose centres are at (0, 0) and
 * (2, 0). In pixels as GreyView has them that is half of it and 0.5 more.
 */
struct BorderPoint {
  uint16_t x, y;
};

/** Between which values its points lie, both included. Half pixels. */
struct BorderBox {
  uint16_t left, top, right, bottom;
};

/** All places where one black component touches one white one. */
struct Border {
  uint32_t white, black;  // numbers of the components
  uint32_t points = 0;
  BorderBox box{UINT16_MAX, UINT16_MAX, 0, 0};
  /**
   * Sums over the points of the direction from black to white, of length 1 along x or y, and of its product with the place. They tell the sign of the area that the border goes
   * around: positive where the black is inside.
   */
  int32_t outward_x = 0, outward_y = 0;
  int64_t place_outward = 0;
};

/** Of a tag's border line: what may be on its inner side. */
struct Inside {
  bool black, white;
};

/** What it goes around, square pixels: positive where that is the black. A border that is not closed goes round the middle of its box. */
double area_px2(const Border& border);

/** Whether the black is inside. */
bool is_black_inside(const Border& border);

/**
 * The borders of a picture. What they are is known from sums alone, which come for a whole stretch at once; points are made of those that are wanted.
 * Keeps its memory between pictures.
 */
class Borders {
 public:
  /**
   * Of components that are numbered. height: rows. inside: which colours may lie inside of the other; a component whose box lies within that of the other is inside of it, and where
   * that is not sought there is no border.
   */
  void find(const Runs& black, const Runs& white, int height, Inside inside);

  const std::vector<Border>& all() const { return all_; }

  /** Makes the points of those borders whose numbers are given, one border after the other, each row by row. Valid until the next call. */
  struct Points {
    const BorderPoint* points;
    size_t count;
  };
  void make_points(const std::vector<uint32_t>& wanted);
  /** Of one of those that were wanted, by its place among them. */
  Points points_of(size_t index) const { return {&points_[starts_[index]], starts_[index + 1] - starts_[index]}; }

 private:
  /** On which side of a stretch the white is. */
  enum class Turn : uint16_t { white_right, white_left, white_below, white_above };

  /** Neighbouring places of one border: for `white_right` and `white_left` a single one between the pixels x and x + 1 of row y; else those between the rows y and y + 1, from pixel x on. */
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

  /** The white component that a black one touched last, and the border between them, or NOT_WANTED: mostly it touches the same one again. */
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
  std::vector<size_t> starts_;
  std::vector<BorderPoint> points_;
};

}  // namespace vedette
