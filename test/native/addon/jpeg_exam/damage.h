// JPEGs that are damaged on purpose, in forty ways, the same for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace vedette::test {

using Bytes = std::vector<uint8_t>;

/** Numbers that look like chance. */
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  /** From 0 to one less than `sides`. */
  size_t roll(size_t sides) { return static_cast<size_t>(engine_() % sides); }
  size_t between(size_t least, size_t most) { return least + roll(most - least + 1); }
  uint8_t byte() { return static_cast<uint8_t>(engine_()); }

 private:
  std::mt19937_64 engine_;
};

/** A whole picture, and where its parts lie. */
struct Whole {
  std::string name;
  Bytes bytes;
};

/** A way to damage one. Leaves it as it is where it has nothing to damage in this way. other: another whole picture. */
struct Kind {
  const char* name;
  Bytes (*damage)(const Bytes& whole, const Bytes& other, Dice& dice);
};

const std::vector<Kind>& damage_kinds();

}  // namespace vedette::test
