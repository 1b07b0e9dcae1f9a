// Codes of all families, read any way up and with wrong bits, against all codes one after the other.
#include "tag_codes.h"

#include "pictures.h"
#include "tag_family.h"
#include "value.h"

namespace vedette::test {
namespace {

/**
 * What is read of a tag that was turned by a quarter, so that the module at (x, y) is what was at (side - 1 - y, x): by
 * the places of bits.
 */
uint64_t turned_by_places(const apriltag_family_t& family, uint64_t code) {
  const int bits = static_cast<int>(family.nbits), side = family.width_at_border;
  uint64_t out = 0;
  for (int i = 0; i < bits; i++) {
    const int x = side - 1 - static_cast<int>(family.bit_y[i]), y = static_cast<int>(family.bit_x[i]);
    int from = -1;
    for (int k = 0; k < bits; k++)
      if (static_cast<int>(family.bit_x[k]) == x && static_cast<int>(family.bit_y[k]) == y) from = k;
    expect(from >= 0, text("%s: no bit is where bit %d comes from", family.name, i));
    out = out << 1 | (code >> (bits - 1 - from) & 1);
  }
  return out;
}

/** The same for many codes: where each bit comes from, the first in the highest place. */
class Turn {
 public:
  explicit Turn(const apriltag_family_t& family) {
    for (uint32_t i = 0; i < family.nbits; i++) {
      const uint64_t to = turned_by_places(family, uint64_t{1} << i);
      to_.push_back(__builtin_ctzll(to));
      expect(__builtin_popcountll(to) == 1, text("%s: bit %u goes to several places", family.name, i));
    }
  }
  uint64_t operator()(uint64_t code) const {
    uint64_t out = 0;
    for (size_t i = 0; i < to_.size(); i++) out |= (code >> i & 1) << to_[i];
    return out;
  }

 private:
  std::vector<int> to_;
};

/** The nearest of all with at most three wrong bits; of those as near the one with the lowest turn, then id. */
std::optional<CodeMatch> nearest(const apriltag_family_t& family, const Turn& turn, uint64_t read) {
  std::optional<CodeMatch> best;
  for (int turns = 0; turns < 4; turns++, read = turn(read))
    for (uint32_t id = 0; id < family.ncodes; id++) {
      const int hamming = __builtin_popcountll(read ^ family.codes[id]);
      if (hamming <= TagCodes::MAX_WRONG && (!best || hamming < best->hamming))
        best = CodeMatch{static_cast<int>(id), hamming, turns};
    }
  return best;
}

std::string words(const std::optional<CodeMatch>& match) {
  return match ? text("%d with %d wrong bits after %d turns", match->id, match->hamming, match->turns) : "none";
}

void expect_nearest(const TagCodes& codes, const Turn& turn, uint64_t read) {
  const std::optional<CodeMatch> match = codes.nearest(read), truth = nearest(codes.family(), turn, read);
  if (!truth)
    return expect(!match || match->hamming > TagCodes::MAX_WRONG,
                  text("%s: ", codes.family().name) + words(match) + ", and there is none so near");
  const bool is_same =
      match && match->id == truth->id && match->hamming == truth->hamming && match->turns == truth->turns;
  expect(is_same, text("%s: ", codes.family().name) + words(match) + ", not " + words(truth));
}

const Suite suite([] {
  test("each code of each family is found in all of its four turns, without a wrong bit", [] {
    size_t codes_seen = 0;
    std::string twice;
    for (const char* name : TAG_FAMILIES) {
      const FamilyOwner family = make_family(name);
      expect(family != nullptr, text("there is no family %s", name));
      const TagCodes codes(*family);
      const Turn turn(*family);
      int others = 0;
      for (uint32_t id = 0; id < family->ncodes; id++) {
        uint64_t read = family->codes[id];
        for (int turned = 0; turned < 4; turned++, read = turn(read)) {
          const std::optional<CodeMatch> match = codes.nearest(read);
          const bool is_it =
              match && match->hamming == 0 && match->id == static_cast<int>(id) && match->turns == (4 - turned) % 4;
          if (is_it) continue;
          // One that looks like another, or like itself, when it is turned.
          expect(match && match->hamming == 0, text("%s: %u, turned %d times, is ", name, id, turned) + words(match));
          expect_nearest(codes, turn, read);
          others++;
        }
        codes_seen++;
      }
      expect(others == 0 || std::string(name) == "aruco_original",
             text("%s: %d readings are another's as well", name, others));
      if (others > 0) twice += text("; %s: %d readings are another's as well", name, others);
    }
    return text("%zu codes of %d families", codes_seen, TAG_FAMILY_COUNT) + twice;
  });

  test("no code is all of one colour, for what is has nothing to say", [] {
    for (const char* name : TAG_FAMILIES) {
      const FamilyOwner family = make_family(name);
      const uint64_t all = (uint64_t{1} << family->nbits) - 1;
      for (uint32_t id = 0; id < family->ncodes; id++)
        expect(family->codes[id] != 0 && family->codes[id] != all, text("%s: %u is all of one colour", name, id));
    }
    return "";
  });

  test("codes with wrong bits, and what is none, are taken for the nearest of all codes and turns", [] {
    Dice dice(61);
    for (const char* name : TAG_FAMILIES) {
      const FamilyOwner family = make_family(name);
      const Turn turn(*family);
      const uint64_t all = (uint64_t{1} << family->nbits) - 1;
      const int tries = family->ncodes > 10000 ? 50 : 250;
      const TagCodes codes(*family);
      for (int nth = 0; nth < tries; nth++) {
        uint64_t read = family->codes[dice.below(static_cast<int>(family->ncodes))];
        for (int turned = dice.below(4); turned > 0; turned--) read = turn(read);
        for (int wrong = nth % 5; wrong > 0; wrong--)
          read ^= uint64_t{1} << dice.below(static_cast<int>(family->nbits));
        expect_nearest(codes, turn, read);
        expect_nearest(codes, turn, dice.word() & all);
      }
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
