#include "annex_b.h"

namespace vedette {

namespace {

constexpr int SEQUENCE_PARAMETERS = 7, PICTURE_PARAMETERS = 8;
constexpr uint8_t START_CODE[] = {0, 0, 0, 1};

/** Where the next unit begins, behind its start code; length: there is none. */
size_t next_unit(const uint8_t* bytes, size_t length, size_t from) {
  for (size_t at = from; at + 3 < length; at++)
    if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1) return at + 3;
  return length;
}

int type_of(uint8_t head) { return head & 0x1f; }

}  // namespace

bool has_parameter_sets(const uint8_t* bytes, size_t length) { return !parameter_sets_of(bytes, length).empty(); }

std::vector<uint8_t> parameter_sets_of(const uint8_t* bytes, size_t length) {
  std::vector<uint8_t> sets;
  for (size_t unit = next_unit(bytes, length, 0); unit < length;) {
    const size_t next = next_unit(bytes, length, unit);
    const int type = type_of(bytes[unit]);
    if (type != SEQUENCE_PARAMETERS && type != PICTURE_PARAMETERS) {
      if (type >= 1 && type <= 5) break;  // pixels: nothing that matters here comes behind them
      unit = next;
      continue;
    }
    size_t end = next == length ? length : next - 3;
    while (end > unit && bytes[end - 1] == 0) end--;  // the longer start code of the next one
    sets.insert(sets.end(), START_CODE, START_CODE + sizeof START_CODE);
    sets.insert(sets.end(), bytes + unit, bytes + end);
    unit = next;
  }
  return sets;
}

}  // namespace vedette
