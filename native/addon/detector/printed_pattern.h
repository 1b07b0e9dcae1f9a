// What is printed on a tag, and how bright a pixel of a picture of it is.
#pragma once

#include "found_tag.h"

namespace vedette {

constexpr int MOST_MODULES_ACROSS = 16;  // of a whole tag

/** Module by module, and one module more on each side, which goes on as the tag ends. white: 0 or 1. known: 0 where nothing is printed, as in the middle of the circular families. */
struct PrintedPattern {
  int across = 0, border = 0;  // modules of the whole, and around the marked square
  bool has_gaps = false;
  float white[MOST_MODULES_ACROSS + 2][MOST_MODULES_ACROSS + 2], known[MOST_MODULES_ACROSS + 2][MOST_MODULES_ACROSS + 2];

  /** Of a family with at most MOST_MODULES_ACROSS. */
  PrintedPattern(const apriltag_family_t& family, int id);
};

/**
 * The boundaries of modules within a pixel's reach, along one axis. The light of a pixel comes from around it by (1 - x * x) squared, which looks like a blurred pixel and ends: nothing beyond
 * its reach has to be looked at.
 */
struct Boundaries {
  int first = 0, count = 0;  // the module before the first of them, counted with the one beyond the rim; how many
  float before[MOST_MODULES_ACROSS + 1];                                    // the share of the light that comes from before each
  float slope[MOST_MODULES_ACROSS + 1], widening[MOST_MODULES_ACROSS + 1];  // by the pixel's place (modules), and by the logarithm of the reach
  float inside = 1;  // the share of the light that comes from the tag

  /** at, reach: modules, from the tag's rim. across: modules of the whole tag, in which `at` is. */
  void see(float at, float reach, int across);
};

/** How much of a pixel's light is white; by: how that changes with the place along x and y (modules) and the logarithm of the reach; known: the share that comes from what is printed. */
struct Shade {
  float white, by_x, by_y, by_blur, known;
};

Shade shade_of(const PrintedPattern& pattern, const Boundaries& across, const Boundaries& down);

}  // namespace vedette
