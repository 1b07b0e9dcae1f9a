// Repeatable randomness: the same key gives the same number on every machine.
#pragma once

#include <cstdint>

namespace vedette {

/** A well mixed 64-bit number from two keys (the finalizer of SplitMix64). */
inline uint64_t mixed(uint64_t key, uint64_t index) {
  uint64_t z = key * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** The same, from 0 to below 1. */
inline double mixed_share(uint64_t key, uint64_t index) {
  return static_cast<double>(mixed(key, index) >> 11) * 0x1p-53;
}

/** Nearly normal, of deviation 1: the sum of twelve uniform numbers. */
inline double nearly_normal(uint64_t key, uint64_t index) {
  double sum = -6;
  for (uint64_t part = 0; part < 12; part++) sum += mixed_share(key, index * 12 + part);
  return sum;
}

}  // namespace vedette
