#include "strip_bits.h"

#include <array>
#include <stdexcept>

namespace vedette::lamps {
namespace {

/** The 24 bits of the bus for each byte of a strip. */
std::array<uint32_t, 256> make_triples() {
  std::array<uint32_t, 256> triples{};
  for (uint32_t byte = 0; byte < 256; byte++)
    for (int bit = 7; bit >= 0; bit--) triples[byte] = triples[byte] << 3 | (byte >> bit & 1 ? 0b110 : 0b100);
  return triples;
}

const std::array<uint32_t, 256> TRIPLES = make_triples();

}  // namespace

std::vector<uint8_t> order_of(const std::string& word) {
  static const std::string COLOURS = "RGBW";
  std::vector<uint8_t> order;
  unsigned seen = 0;
  for (const char each : word) {
    const size_t colour = COLOURS.find(each);
    if (colour == std::string::npos) throw std::invalid_argument("an order of colours has R, G, B and W: " + word);
    order.push_back(static_cast<uint8_t>(colour));
    seen |= 1u << colour;
  }
  if (word == "W") return {0};
  if ((word.size() == 3 && seen == 0b111) || (word.size() == 4 && seen == 0b1111)) return order;
  throw std::invalid_argument("an order of colours is such as GRB, GRBW or W, not " + word);
}

void encode_strip(const uint8_t* bytes, size_t pixels, const std::vector<uint8_t>& order, std::vector<uint8_t>& out) {
  out.assign(LEAD_BYTES + pixels * order.size() * 3 + RESET_BYTES, 0);
  uint8_t* to = out.data() + LEAD_BYTES;
  for (size_t pixel = 0; pixel < pixels; pixel++, bytes += order.size())
    for (const uint8_t channel : order) {
      const uint32_t triple = TRIPLES[bytes[channel]];
      *to++ = static_cast<uint8_t>(triple >> 16);
      *to++ = static_cast<uint8_t>(triple >> 8);
      *to++ = static_cast<uint8_t>(triple);
    }
}

}  // namespace vedette::lamps
