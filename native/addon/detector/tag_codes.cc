#include "tag_codes.h"

namespace vedette {

TagCodes::TagCodes(const apriltag_family_t& family)
    : family_(family), part_bits_((static_cast<int>(family.nbits) + PARTS - 1) / PARTS) {
  for (int part = 0; part < PARTS; part++) {
    auto& [starts, ids] = parts_[part];
    starts.assign((size_t{1} << part_bits_) + 1, 0);
    for (uint32_t id = 0; id < family.ncodes; id++) starts[part_of(family.codes[id], part) + 1]++;
    for (size_t value = 1; value < starts.size(); value++) starts[value] += starts[value - 1];
    ids.resize(family.ncodes);
    std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t id = 0; id < family.ncodes; id++) ids[next[part_of(family.codes[id], part)]++] = id;
  }
}

std::optional<CodeMatch> TagCodes::nearest(uint64_t read) const {
  std::optional<CodeMatch> best;
  for (int turns = 0; turns < 4; turns++, read = turned(read))
    for (int part = 0; part < PARTS; part++) {
      const auto& [starts, ids] = parts_[part];
      const uint32_t value = part_of(read, part);
      for (uint32_t i = starts[value]; i < starts[value + 1]; i++) {
        const int id = static_cast<int>(ids[i]), hamming = __builtin_popcountll(read ^ family_.codes[id]);
        if (!best || hamming < best->hamming || (hamming == best->hamming && turns == best->turns && id < best->id))
          best = CodeMatch{id, hamming, turns};
      }
    }
  return best;
}

/**
 * By a quarter: the bits stand in four groups that follow each other round, and, where their number is odd, the middle
 * one at the end, which stays.
 */
uint64_t TagCodes::turned(uint64_t code) const {
  const int middle = static_cast<int>(family_.nbits) % 4, round = static_cast<int>(family_.nbits) - middle,
            quarter = round / 4;
  const uint64_t bits = code >> middle, stays = code & ((uint64_t{1} << middle) - 1);
  const uint64_t turned = (bits << quarter | bits >> (round - quarter)) & ((uint64_t{1} << round) - 1);
  return turned << middle | stays;
}

}  // namespace vedette
