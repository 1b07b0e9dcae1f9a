#include "lamp_orders.h"

#include <random>
#include <stdexcept>
#include <string>

#include "suite.h"

namespace vedette::test {
namespace {

using lamps::LampOrder;
using lamps::LampOrders;
using lamps::OrderKind;

using Bytes = std::vector<uint8_t>;

constexpr size_t CHANNELS = 2;
constexpr unsigned LONG_ROUNDS = 20'000;

void put(Bytes& to, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) to.push_back(static_cast<uint8_t>(number >> 8 * i));
}

Bytes order(const Bytes& body) {
  Bytes whole;
  put(whole, body.size(), 4);
  whole.insert(whole.end(), body.begin(), body.end());
  return whole;
}

Bytes play(uint32_t hold_ms, uint16_t count, const std::vector<int64_t>& moments) {
  Bytes body{1};
  put(body, hold_ms, 4);
  put(body, count, 2);
  for (const int64_t each : moments) {
    put(body, static_cast<uint64_t>(each), 8);
    body.insert(body.end(), {11, 22});
  }
  return order(body);
}

bool is_refused(const Bytes& bytes) {
  try {
    LampOrders(CHANNELS).read(bytes.data(), bytes.size());
    return false;
  } catch (const std::runtime_error&) {
    return true;
  }
}

const Suite suite([] {
  test("orders are read whole, however their bytes come", [] {
    Bytes bytes = play(700, 2, {-3, 123'456'789'012});
    const Bytes alive = order({2});
    bytes.insert(bytes.end(), alive.begin(), alive.end());
    for (size_t piece = 1; piece <= bytes.size(); piece++) {
      LampOrders orders(CHANNELS);
      std::vector<LampOrder> all;
      for (size_t at = 0; at < bytes.size(); at += piece)
        for (LampOrder& each : orders.read(bytes.data() + at, std::min(piece, bytes.size() - at)))
          all.push_back(std::move(each));
      expect(all.size() == 2, text("%zu orders in pieces of %zu", all.size(), piece));
      expect(all[0].kind == OrderKind::play && all[0].hold_ms == 700 && all[0].frames.size() == 2, "not as sent");
      expect(all[0].frames[0].at_us == -3 && all[0].frames[1].at_us == 123'456'789'012, "moments are others");
      expect(all[0].frames[1].bytes == Bytes({11, 22}), "bytes are others");
      expect(all[1].kind == OrderKind::alive, "no sign of life");
    }
    return "";
  });

  test("what is no order is refused", [] {
    const std::vector<std::pair<const char*, Bytes>> wrong = {
        {"no length", order({})},
        {"a length beyond all orders", {255, 255, 255, 127, 1}},
        {"another order", order({3})},
        {"a sign of life with something behind it", order({2, 0})},
        {"a cut head", order({1, 0, 0})},
        {"no frames", play(1, 0, {})},
        {"fewer frames than said", play(1, 2, {1})},
        {"more frames than said", play(1, 1, {1, 2})},
        {"more than a minute", play(60'001, 1, {1})},
        {"frames that go back", play(1, 2, {2, 1})},
    };
    for (const auto& [what, bytes] : wrong) expect(is_refused(bytes), std::string("taken: ") + what);
    expect(!is_refused(play(60'000, 2, {1, 1})), "refused: an order that is right");
    return "";
  });

  test("bytes by chance, and orders with changed bytes, are read or refused, and nothing else", [] {
    std::mt19937 chance(1);
    unsigned read = 0, refused = 0;
    for (unsigned round = 0; round < LONG_ROUNDS; round++) {
      Bytes bytes = play(chance() % 70'000, 3, {1, 2, 3});
      for (unsigned change = chance() % 4; change > 0; change--)
        bytes[chance() % bytes.size()] = static_cast<uint8_t>(chance());
      bytes.resize(chance() % 3 == 0 ? chance() % bytes.size() : bytes.size());
      (is_refused(bytes) ? refused : read)++;
    }
    expect(read > 0 && refused > 0, "all were read, or all refused");
    return text("%u read, %u refused", read, refused);
  });
});

}  // namespace
}  // namespace vedette::test
