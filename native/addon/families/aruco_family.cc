#include "aruco_family.h"

#include <cstring>
#include <utility>
#include <vector>

#include "aruco_codes.h"

namespace vedette {

namespace {

using Module = std::pair<int, int>;  // column, row

/**
 * The order in which libapriltag reads the modules of a marker's inside, so that a quarter turn of the picture moves
 * the bits by a quarter: one triangle of it by rows, then the same turned clockwise three times; last the module in the
 * middle, if there is one.
 */
std::vector<Module> reading_order(int side) {
  std::vector<Module> order;
  for (int ring = 0; ring < side / 2; ring++)
    for (int column = ring; column < side - 1 - ring; column++) order.push_back({column, ring});
  const size_t quarter = order.size();
  for (size_t i = 0; i < 3 * quarter; i++) order.push_back({side - 1 - order[i].second, order[i].first});
  if (side % 2 == 1) order.push_back({side / 2, side / 2});
  return order;
}

/** As libapriltag's own families come and go: with the C library's memory. */
template <typename T>
T* array(size_t count) {
  return static_cast<T*>(std::calloc(count, sizeof(T)));
}

apriltag_family_t* family_of(const ArucoCodes& from) {
  const std::vector<Module> order = reading_order(from.side);
  apriltag_family_t* family = array<apriltag_family_t>(1);
  family->name = strdup(from.name);
  family->width_at_border = from.side + 2;
  family->total_width = from.side + 4;
  family->nbits = static_cast<uint32_t>(order.size());
  family->ncodes = from.count;
  family->codes = array<uint64_t>(from.count);
  family->bit_x = array<uint32_t>(order.size());
  family->bit_y = array<uint32_t>(order.size());
  for (size_t i = 0; i < order.size(); i++) {
    const auto [column, row] = order[i];
    family->bit_x[i] = static_cast<uint32_t>(column + 1);  // from the corner of the black border
    family->bit_y[i] = static_cast<uint32_t>(row + 1);
    const int place = from.side * from.side - 1 - (row * from.side + column);
    for (uint32_t id = 0; id < from.count; id++)
      family->codes[id] = family->codes[id] << 1 | (from.codes[id] >> place & 1);
  }
  return family;
}

void destroy(apriltag_family_t* family) {
  std::free(family->codes);
  std::free(family->bit_x);
  std::free(family->bit_y);
  std::free(family->name);
  std::free(family);
}

}  // namespace

FamilyOwner make_aruco_family(const std::string& name) {
  for (int i = 0; i < ARUCO_CODES_COUNT; i++)
    if (name == ARUCO_CODES[i].name) return {family_of(ARUCO_CODES[i]), destroy};
  return {nullptr, [](apriltag_family_t*) {}};
}

}  // namespace vedette
