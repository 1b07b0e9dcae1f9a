// What is printed on a tag, and how bright a pixel of a picture of it is.
#pragma once

#include "found_tag.h"
#include "four_floats.h"

namespace vedette {

constexpr int MAX_MODULES_ACROSS = 16;  // of a whole tag

/**
 * Module by module, and one module more on each side, which goes on as the tag ends. white: 0 or 1. known: 0 where
 * nothing is printed, as in the middle of the circular families.
 */
struct PrintedPattern {
  int across = 0, border = 0;  // modules of the whole, and around the marked square
  bool has_gaps = false;
  float white[MAX_MODULES_ACROSS + 2][MAX_MODULES_ACROSS + 2];
  float known[MAX_MODULES_ACROSS + 2][MAX_MODULES_ACROSS + 2];

  /** Of a family with at most MAX_MODULES_ACROSS. */
  PrintedPattern(const apriltag_family_t& family, int id);
};

/**
 * The boundaries of modules within four pixels' reach, along one axis. The light of a pixel comes from around it by
 * (1 - x * x) cubed, which looks like a blurred pixel and ends: nothing beyond its reach has to be looked at.
 */
struct Boundaries {
  static constexpr int MAX_BOUNDARIES = 8;

  // How many are looked at, and which is the first of them, counted from the tag's rim.
  int count = 0;
  Ints first;
  Floats before[MAX_BOUNDARIES];  // the share of the light that comes from before each
  // How that grows with the pixel's place (modules), and with the logarithm of the reach.
  Floats slope[MAX_BOUNDARIES], widening[MAX_BOUNDARIES];
  Floats inside;  // the share of the light that comes from the tag

  /**
   * at, reach: modules, from the tag's rim. across: modules of the whole tag, in which `at` is. False where the reach
   * is so far that a pixel sees more than MAX_BOUNDARIES.
   */
  bool see(Floats at, Floats reach, int across);
};

/**
 * How much of four pixels' light is white; by: how that changes with the place along x and y (modules) and the
 * logarithm of the reach; inside, known: the shares that come from the tag, and from what is printed there.
 */
struct Shade {
  Floats white, by_x, by_y, by_blur, inside, known;
};

Shade shade_of(const PrintedPattern& pattern, const Boundaries& across, const Boundaries& down);

}  // namespace vedette
