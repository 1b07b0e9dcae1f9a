#include "strip_bits.h"

#include <stdexcept>

#include "bus.h"

namespace vedette::test {
namespace {

using lamps::encode_strip;
using lamps::order_of;

std::vector<uint8_t> encoded(const std::vector<uint8_t>& bytes, const std::string& order) {
  std::vector<uint8_t> out;
  encode_strip(bytes.data(), bytes.size() / order.size(), order_of(order), out);
  return out;
}

const Suite suite([] {
  test("a strip hears each of all bytes, bit by bit, in the order of its colours", [] {
    std::vector<uint8_t> bytes;
    for (int value = 0; value < 256; value++)
      for (const int each : {value, 255 - value, value ^ 0x5a}) bytes.push_back(static_cast<uint8_t>(each));

    const Heard heard = hear(encoded(bytes, "GRB"));

    expect(heard.bytes.size() == bytes.size(), text("%zu bytes of %zu", heard.bytes.size(), bytes.size()));
    for (size_t pixel = 0; pixel < 256; pixel++) {
      const uint8_t *sent = &bytes[pixel * 3], *came = &heard.bytes[pixel * 3];
      expect(came[0] == sent[1] && came[1] == sent[0] && came[2] == sent[2], text("pixel %zu is another", pixel));
    }
    return "";
  });

  test("four colours come in their order too, and one alone", [] {
    const Heard four = hear(encoded({1, 2, 3, 4}, "GRBW")), one = hear(encoded({9, 8}, "W"));

    expect(four.bytes == std::vector<uint8_t>({2, 1, 3, 4}), "four colours are in another order");
    expect(one.bytes == std::vector<uint8_t>({9, 8}), "one colour is another");
    return "";
  });

  test("the line is low before the first bit, and for more than 280 us after the last one", [] {
    const Heard heard = hear(encoded({255, 255, 255}, "RGB"));

    expect(heard.silent_bits_before >= 8, text("%d bits", heard.silent_bits_before));
    expect(heard.silent_bits_after / 2.4 >= 280, text("%.1f us", heard.silent_bits_after / 2.4));
    return text("%.1f us", heard.silent_bits_after / 2.4);
  });

  test("the bytes are those of the data sheet: green 0xa5 first", [] {
    // 1 0 1 0 0 1 0 1 is 110 100 110 100 100 110 100 110
    const std::vector<uint8_t> out = encoded({0x00, 0xa5, 0x00}, "GRB");

    expect(out[1] == 0xd3 && out[2] == 0x49 && out[3] == 0xa6, text("%02x %02x %02x", out[1], out[2], out[3]));
    expect(out[4] == 0x92 && out[5] == 0x49 && out[6] == 0x24, text("%02x %02x %02x", out[4], out[5], out[6]));
    return "";
  });

  test("what is no order of colours is refused", [] {
    for (const char* word : {"", "RG", "RGGB", "RRB", "rgb", "RGBWW", "GRBX", "R"}) {
      bool is_refused = false;
      try {
        order_of(word);
      } catch (const std::invalid_argument&) {
        is_refused = true;
      }
      expect(is_refused, std::string("taken: ") + word);
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
