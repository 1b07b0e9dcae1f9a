// The codes of a family of tags, and which of them was read.
#pragma once

#include <apriltag/apriltag.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace vedette {

/**
 * A code of a family. hamming: bits of what was read that are another than its. turns: how many quarter turns it was
 * read from.
 */
struct CodeMatch {
  int id, hamming, turns;
};

/**
 * Finds the code of a family that is nearest to what was read, in any of its four turns. Of a code with at most three
 * wrong bits one quarter of the bits is right: codes are looked up by their quarters, so that some kilobytes do what
 * takes a table of all wrong codes megabytes.
 */
class TagCodes {
 public:
  /** family: outlives this. */
  explicit TagCodes(const apriltag_family_t& family);

  /**
   * The nearest of those that have a quarter of their bits in common with what was read: the nearest of all, where it
   * has at most MAX_WRONG wrong bits. Of those that are as near it is the one with the lowest turn and id. read: the
   * bits in the family's order, the first in the highest place.
   */
  std::optional<CodeMatch> nearest(uint64_t read) const;

  const apriltag_family_t& family() const { return family_; }

  static constexpr int MAX_WRONG = 3;

 private:
  static constexpr int PARTS = MAX_WRONG + 1;

  /** Ids by one part of their codes: those with the value v are ids[starts[v]] to before ids[starts[v + 1]]. */
  struct Part {
    std::vector<uint32_t> starts, ids;
  };

  uint64_t turned(uint64_t code) const;
  uint32_t part_of(uint64_t code, int part) const {
    return static_cast<uint32_t>(code >> (part * part_bits_)) & ((1U << part_bits_) - 1);
  }

  const apriltag_family_t& family_;
  const int part_bits_;
  Part parts_[PARTS];
};

}  // namespace vedette
