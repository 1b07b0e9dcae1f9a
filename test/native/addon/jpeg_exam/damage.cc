#include "damage.h"

#include <algorithm>

namespace vedette::test {
namespace {

constexpr uint8_t MARK = 0xff, SOF = 0xc0, DHT = 0xc4, SOI = 0xd8, EOI = 0xd9, SOS = 0xda, DQT = 0xdb, DRI = 0xdd;
constexpr uint8_t APP0 = 0xe0, APP14 = 0xee;

using At = std::ptrdiff_t;

size_t length_of(const Bytes& b, size_t segment) {
  return 2 + static_cast<size_t>(b[segment + 2] << 8 | b[segment + 3]);
}

/** Where the segments before the first scan begin, that of the scan included. */
std::vector<size_t> segments(const Bytes& b) {
  std::vector<size_t> all;
  for (size_t at = 2; at + 4 <= b.size() && b[at] == MARK; at += length_of(b, at)) {
    all.push_back(at);
    if (b[at + 1] == SOS) break;
  }
  return all;
}

bool is_frame(uint8_t marker) { return marker >= 0xc0 && marker <= 0xc2; }

/** 0: there is none. */
size_t find(const Bytes& b, uint8_t marker) {
  for (const size_t at : segments(b))
    if (b[at + 1] == marker || (marker == SOF && is_frame(b[at + 1]))) return at;
  return 0;
}

/** Where the pixels begin. */
size_t pixels(const Bytes& b) {
  const size_t last = segments(b).back();
  return last + length_of(b, last);
}

/** Somewhere in the pixels, before the end marker. */
size_t spot(const Bytes& b, Dice& dice) { return dice.between(pixels(b), b.size() - 3); }

/** Of the markers in the pixels for which `is_one` holds. */
template <typename IsOne>
std::vector<size_t> markers(const Bytes& b, IsOne is_one) {
  std::vector<size_t> all;
  for (size_t at = pixels(b); at + 1 < b.size(); at++)
    if (b[at] == MARK && is_one(b[at + 1])) all.push_back(at);
  return all;
}

std::vector<size_t> restarts(const Bytes& b) {
  return markers(b, [](uint8_t m) { return m >= 0xd0 && m <= 0xd7; });
}

Bytes insert(Bytes b, size_t at, const Bytes& more) {
  b.insert(b.begin() + static_cast<At>(at), more.begin(), more.end());
  return b;
}

Bytes erase(Bytes b, size_t at, size_t count) {
  const size_t end = std::min(b.size(), at + count);
  b.erase(b.begin() + static_cast<At>(std::min(at, end)), b.begin() + static_cast<At>(end));
  return b;
}

Bytes part(const Bytes& b, size_t from, size_t to) {
  return {b.begin() + static_cast<At>(from), b.begin() + static_cast<At>(std::min(to, b.size()))};
}

Bytes without(Bytes b, uint8_t marker) {
  for (size_t at; (at = find(b, marker)) > 0;) b = erase(b, at, length_of(b, at));
  return b;
}

/** Random, or the same again and again; never a marker. */
Bytes stray(size_t count, bool is_random, Dice& dice) {
  Bytes out(count, static_cast<uint8_t>(dice.roll(255)));
  if (is_random)
    for (uint8_t& byte : out) byte = static_cast<uint8_t>(dice.roll(255));
  return out;
}

Bytes fill(Bytes b, size_t count, uint8_t value, Dice& dice) {
  const size_t at = spot(b, dice);
  std::fill(b.begin() + static_cast<At>(at), b.begin() + static_cast<At>(std::min(b.size(), at + count)), value);
  return b;
}

Bytes flip(Bytes b, size_t from, size_t to, size_t times, Dice& dice) {
  for (size_t i = 0; i < times; i++) b[dice.between(from, to - 1)] ^= static_cast<uint8_t>(1 << dice.roll(8));
  return b;
}

Bytes set(Bytes b, size_t at, const Bytes& values) {
  std::copy(values.begin(), values.end(), b.begin() + static_cast<At>(at));
  return b;
}

Bytes set_scan_numbers(const Bytes& b, const Bytes& values) {
  const size_t at = find(b, SOS);
  return set(b, at + 5 + 2 * b[at + 4], values);
}

Bytes scale_side(Bytes b, size_t at, Dice& dice) {
  const int side = b[at] << 8 | b[at + 1], other = std::max<int>(1, side * static_cast<int>(dice.between(1, 40)) / 20);
  return set(std::move(b), at, {static_cast<uint8_t>(other >> 8), static_cast<uint8_t>(other)});
}

const Bytes END{MARK, EOI};

}  // namespace

const std::vector<Kind>& damage_kinds() {
  static const std::vector<Kind> kinds{
      {"nothing", [](const Bytes& b, const Bytes&, Dice&) { return b; }},
      // Cut.
      {"cut anywhere", [](const Bytes& b, const Bytes&, Dice& d) { return part(b, 0, d.between(2, b.size() - 1)); }},
      {"cut in the pixels", [](const Bytes& b, const Bytes&, Dice& d) { return part(b, 0, spot(b, d)); }},
      {"cut and ended",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const Bytes head = part(b, 0, spot(b, d));
         return insert(head, head.size(), END);
       }},
      {"cut at the very end",
       [](const Bytes& b, const Bytes&, Dice& d) { return part(b, 0, b.size() - d.between(1, 12)); }},
      {"cut at the very end and ended",
       [](const Bytes& b, const Bytes&, Dice& d) {
         return erase(b, b.size() - 2 - d.between(1, 12), d.between(1, 12));
       }},
      {"cut and filled with zeros",
       [](const Bytes& b, const Bytes&, Dice& d) {
         Bytes out = part(b, 0, spot(b, d));
         out.resize(b.size() - 2);
         return insert(out, out.size(), END);
       }},
      // Bits and bytes.
      {"a bit flipped", [](const Bytes& b, const Bytes&, Dice& d) { return flip(b, 2, b.size(), 1, d); }},
      {"a bit of the header flipped",
       [](const Bytes& b, const Bytes&, Dice& d) { return flip(b, 2, pixels(b), 1, d); }},
      {"a bit of the pixels flipped",
       [](const Bytes& b, const Bytes&, Dice& d) { return flip(b, pixels(b), b.size() - 2, 1, d); }},
      {"ten bits of the pixels flipped",
       [](const Bytes& b, const Bytes&, Dice& d) { return flip(b, pixels(b), b.size() - 2, 10, d); }},
      {"a byte replaced",
       [](const Bytes& b, const Bytes&, Dice& d) { return set(b, d.between(2, b.size() - 1), {d.byte()}); }},
      {"a burst of noise",
       [](const Bytes& b, const Bytes&, Dice& d) {
         Bytes noise(d.between(4, 64));
         for (uint8_t& byte : noise) byte = d.byte();
         const size_t at = d.between(pixels(b), b.size() - 1);
         return set(b, at, part(noise, 0, b.size() - at));
       }},
      {"a burst of zeros", [](const Bytes& b, const Bytes&, Dice& d) { return fill(b, d.between(1, 200), 0, d); }},
      {"a burst of ones", [](const Bytes& b, const Bytes&, Dice& d) { return fill(b, d.between(1, 200), 0xff, d); }},
      // More and less.
      {"stray bytes before the end",
       [](const Bytes& b, const Bytes&, Dice& d) { return insert(b, b.size() - 2, stray(d.between(1, 64), true, d)); }},
      {"many stray bytes before the end",
       [](const Bytes& b, const Bytes&, Dice& d) {
         return insert(b, b.size() - 2, stray(d.between(65, 900), true, d));
       }},
      {"filled up before the end",
       [](const Bytes& b, const Bytes&, Dice& d) {
         return insert(b, b.size() - 2, stray(d.between(65, 900), false, d));
       }},
      {"stray bytes behind the end",
       [](const Bytes& b, const Bytes&, Dice& d) { return insert(b, b.size(), stray(d.between(1, 900), true, d)); }},
      {"a byte of the pixels lost", [](const Bytes& b, const Bytes&, Dice& d) { return erase(b, spot(b, d), 1); }},
      {"a byte of the pixels twice",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const size_t at = spot(b, d);
         return insert(b, at, {b[at]});
       }},
      {"a packet lost", [](const Bytes& b, const Bytes&, Dice& d) { return erase(b, spot(b, d), 512); }},
      {"a packet twice",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const size_t at = spot(b, d);
         return insert(b, at, part(b, at, at + 512));
       }},
      {"a packet of another picture",
       [](const Bytes& b, const Bytes& other, Dice& d) {
         const size_t at = spot(b, d), from = spot(other, d);
         const size_t count = std::min({size_t{512}, b.size() - at, other.size() - from});
         return set(b, at, part(other, from, from + count));
       }},
      {"the end of another picture",
       [](const Bytes& b, const Bytes& other, Dice& d) {
         const Bytes head = part(b, 0, spot(b, d));
         return insert(head, head.size(), part(other, spot(other, d), other.size()));
       }},
      // Restart markers.
      {"stray bytes before a restart",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = restarts(b);
         return all.empty() ? b : insert(b, all[d.roll(all.size())], stray(d.between(1, 64), d.roll(2) == 0, d));
       }},
      {"stray bytes before each restart",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = restarts(b);
         const size_t count = d.between(1, 20);
         Bytes out = insert(b, b.size() - 2, stray(d.between(1, 64), true, d));
         for (size_t i = all.size(); i-- > 0;) out = insert(out, all[i], stray(count, true, d));
         return out;
       }},
      {"a restart lost",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = restarts(b);
         return all.empty() ? b : erase(b, all[d.roll(all.size())], 2);
       }},
      {"a restart numbered anew",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = restarts(b);
         return all.empty() ? b : set(b, all[d.roll(all.size())] + 1, {static_cast<uint8_t>(0xd0 + d.roll(8))});
       }},
      {"a restart too many",
       [](const Bytes& b, const Bytes&, Dice& d) {
         return insert(b, spot(b, d), {MARK, static_cast<uint8_t>(0xd0 + d.roll(8))});
       }},
      {"all between two restarts lost",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = restarts(b);
         if (all.size() < 2) return b;
         const size_t first = d.roll(all.size() - 1);
         return erase(b, all[first], all[first + 1] - all[first]);
       }},
      {"another distance of restarts",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const Bytes segment{MARK, DRI, 0, 4, 0, static_cast<uint8_t>(d.between(1, 40))};
         return insert(without(b, DRI), 2, segment);
       }},
      // Headers.
      {"zeros in the header of the scan",
       [](const Bytes& b, const Bytes&, Dice&) {
         return set_scan_numbers(b, {0, 0, 0});
       }},
      {"a shift in the header of the scan",
       [](const Bytes& b, const Bytes&, Dice&) {
         return set_scan_numbers(b, {0, 63, 1});
       }},
      {"another version of JFIF",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const size_t at = find(b, APP0);
         return at == 0 ? b : set(b, at + 9, {static_cast<uint8_t>(d.between(2, 9))});
       }},
      {"an unknown transform of Adobe",
       [](const Bytes& b, const Bytes&, Dice& d) {
         Bytes segment{MARK, APP14, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0};
         segment.back() = static_cast<uint8_t>(d.between(3, 255));
         return insert(without(without(b, APP0), APP14), 2, segment);
       }},
      {"no Huffman tables", [](const Bytes& b, const Bytes&, Dice&) { return without(b, DHT); }},
      {"a Huffman table lost",
       [](const Bytes& b, const Bytes&, Dice&) {
         const size_t at = find(b, DHT);
         return at == 0 ? b : erase(b, at, length_of(b, at));
       }},
      {"a table of the steps lost",
       [](const Bytes& b, const Bytes&, Dice&) {
         const size_t at = find(b, DQT);
         return at == 0 ? b : erase(b, at, length_of(b, at));
       }},
      {"another height", [](const Bytes& b, const Bytes&, Dice& d) { return scale_side(b, find(b, SOF) + 5, d); }},
      {"another width", [](const Bytes& b, const Bytes&, Dice& d) { return scale_side(b, find(b, SOF) + 7, d); }},
      {"another sampling",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto factors = static_cast<uint8_t>(d.between(1, 4) << 4 | d.between(1, 4));
         return set(b, find(b, SOF) + 11 + 3 * d.roll(b[find(b, SOF) + 9]), {factors});
       }},
      {"another process", [](const Bytes& b, const Bytes&,
                             Dice& d) { return set(b, find(b, SOF) + 1, {static_cast<uint8_t>(SOF + d.roll(3))}); }},
      {"stray bytes between the segments",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = segments(b);
         return insert(b, all[d.roll(all.size())], stray(d.between(1, 40), d.roll(2) == 0, d));
       }},
      {"two beginnings",
       [](const Bytes& b, const Bytes&, Dice&) {
         return insert(b, 0, {MARK, SOI});
       }},
      // Scans.
      {"a scan lost",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = markers(b, [](uint8_t m) { return m == SOS; });
         if (all.empty()) return b;
         const size_t first = d.roll(all.size());
         const size_t end = first + 1 < all.size() ? all[first + 1] : b.size() - 2;
         return erase(b, all[first], end - all[first]);
       }},
      {"an end between scans",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = markers(b, [](uint8_t m) { return m == SOS || m == DHT; });
         return all.empty() ? b : insert(b, all[d.roll(all.size())], END);
       }},
      {"two scans in each other's place",
       [](const Bytes& b, const Bytes&, Dice& d) {
         const auto all = markers(b, [](uint8_t m) { return m == SOS; });
         if (all.size() < 2) return b;
         const size_t i = d.roll(all.size() - 1), end = i + 2 < all.size() ? all[i + 2] : b.size() - 2;
         Bytes out = part(b, 0, all[i]);
         out = insert(out, out.size(), part(b, all[i + 1], end));
         out = insert(out, out.size(), part(b, all[i], all[i + 1]));
         return insert(out, out.size(), part(b, end, b.size()));
       }},
  };
  return kinds;
}

}  // namespace vedette::test
