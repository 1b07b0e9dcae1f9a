// For how long a camera on the network may show nothing. Its rate is what its user says: one that takes a picture every
// minute is not lost in between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace vedette {

/** From one picture to the next: 5 s, or three of its frame times; a cable that was pulled tells nobody. */
inline int64_t silence_limit_us(double fps) { return std::max<int64_t>(5'000'000, static_cast<int64_t>(3e6 / fps)); }

/**
 * Up to its first picture: what is usual, or as many frame times, but no longer than 9 s: an engine that is silent for
 * 10 s is taken for a hung one.
 */
inline int64_t opening_limit_us(int64_t default_us, double fps) {
  return std::clamp<int64_t>(static_cast<int64_t>(3e6 / fps), default_us, 9'000'000);
}

/** For sentences. */
inline std::string seconds(int64_t us) { return std::to_string(us / 1'000'000) + " s"; }

}  // namespace vedette
