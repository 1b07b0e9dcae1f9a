// A strip as its data sheet describes it: it hears a bus bit by bit, and knows nothing of how those were made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suite.h"

namespace vedette::test {

/** What a strip makes of what an SPI bus sends at 2.4 MHz, each bit of which lasts 416.7 ns. */
struct Heard {
  std::vector<uint8_t> bytes;
  int silent_bits_before = 0, silent_bits_after = 0;
};

/**
 * Throws when a pulse is none: a 0 is high for 1 bit of the bus (0.4 us, of 0.2 to 0.5) and a 1 for 2 (0.8 us, of 0.65
 * to 0.95), and each lasts 3 (1.25 us).
 */
inline Heard hear(const std::vector<uint8_t>& sent) {
  std::vector<bool> bits;
  for (const uint8_t byte : sent)
    for (int bit = 7; bit >= 0; bit--) bits.push_back(byte >> bit & 1);
  Heard heard;
  size_t at = 0;
  for (; at < bits.size() && !bits[at]; at++) heard.silent_bits_before++;
  std::vector<bool> data;
  while (at < bits.size() && bits[at]) {
    size_t high = 0, low = 0;
    for (; at < bits.size() && bits[at]; at++) high++;
    for (; at < bits.size() && !bits[at] && low < 3 - high; at++) low++;
    expect(high == 1 || high == 2, "a pulse of " + std::to_string(high) + " bits");
    expect(high + low == 3, "a bit of " + std::to_string(high + low) + " bits of the bus");
    data.push_back(high == 2);
  }
  for (; at < bits.size(); at++) {
    expect(!bits[at], "a pulse after the silence");
    heard.silent_bits_after++;
  }
  expect(data.size() % 8 == 0, std::to_string(data.size()) + " bits are no bytes");
  for (size_t bit = 0; bit < data.size(); bit++) {
    if (bit % 8 == 0) heard.bytes.push_back(0);
    heard.bytes.back() = static_cast<uint8_t>(heard.bytes.back() << 1 | data[bit]);
  }
  return heard;
}

}  // namespace vedette::test
