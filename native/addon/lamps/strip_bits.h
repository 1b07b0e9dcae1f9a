// What an SPI bus sends to a strip of WS281x: each bit of the strip is three of the bus, 110 for 1 and 100 for 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vedette::lamps {

/** Three bits of the bus are 1.25 microseconds, which is one of the strip. */
constexpr uint32_t STRIP_HZ = 2'400'000;

/** 320 microseconds of silence; after 280 a strip shows what it has heard. */
constexpr size_t RESET_BYTES = 96;

/** Some controllers leave their line high while they rest: the strip shall hear a whole first bit. */
constexpr size_t LEAD_BYTES = 1;

/** Which byte of a pixel (red, green, blue, white) comes when, of a word such as GRB. Throws when it is none. */
std::vector<uint8_t> order_of(const std::string& word);

/** bytes: of all pixels, in the order red, green, blue, white. order: as order_of gives it. */
void encode_strip(const uint8_t* bytes, size_t pixels, const std::vector<uint8_t>& order, std::vector<uint8_t>& out);

}  // namespace vedette::lamps
