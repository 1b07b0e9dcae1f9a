#include "border_band.h"

#include <algorithm>

namespace vedette {

namespace {

constexpr size_t FIRST_TABLE = 4096;
constexpr uint32_t NOTHING = UINT32_MAX;

size_t place_of(uint32_t white, uint32_t black, size_t size) {
  const uint64_t key = static_cast<uint64_t>(white) << 32 | black;
  return static_cast<size_t>((key * 0x9E3779B97F4A7C15U) >> 32) & (size - 1);
}

}  // namespace

void BorderBand::find(const Runs& black, const Runs& white, int first, int last, int height, Inside inside) {
  all_.clear();
  stretches_.clear();
  black_ = black.components().data();
  white_ = white.components().data();
  met_.assign(black.components().size(), {NOTHING, NOT_WANTED});
  inside_ = inside;
  if (table_.empty()) table_.resize(FIRST_TABLE);
  std::fill(table_.begin(), table_.end(), 0);
  for (int y = first; y < last; y++) {
    meet_in_row(black, white, y);
    if (y + 1 == height) break;
    meet_across(black, white, y, Turn::white_below);
    meet_across(white, black, y, Turn::white_above);
  }
}

void BorderBand::meet_in_row(const Runs& black, const Runs& white, int y) {
  const Run *b = black.first(y),
            *w = white.first(y), *const black_end = black.first(y + 1), *const white_end = white.first(y + 1);
  while (b < black_end && w < white_end) {
    const bool is_black_first = b->begin < w->begin;
    const uint16_t end = is_black_first ? b->end : w->end, begin = is_black_first ? w->begin : b->begin;
    if (end == begin)
      add(w->component, b->component,
          {0, static_cast<uint16_t>(end - 1), static_cast<uint16_t>(y), 1,
           is_black_first ? Turn::white_right : Turn::white_left});
    (is_black_first ? b : w)++;
  }
}

void BorderBand::meet_across(const Runs& upper, const Runs& lower, int y, Turn turn) {
  const Run *u = upper.first(y),
            *l = lower.first(y + 1), *const upper_end = upper.first(y + 1), *const lower_end = lower.first(y + 2);
  while (u < upper_end && l < lower_end) {
    const uint16_t begin = std::max(u->begin, l->begin), end = std::min(u->end, l->end);
    if (begin < end) {
      const Stretch stretch{0, begin, static_cast<uint16_t>(y), static_cast<uint16_t>(end - begin), turn};
      if (turn == Turn::white_below) add(l->component, u->component, stretch);
      else add(u->component, l->component, stretch);
    }
    const int ahead = u->end - l->end;
    u += ahead <= 0;
    l += ahead >= 0;
  }
}

bool BorderBand::may_be_wanted(uint32_t white, uint32_t black) const {
  const ComponentBox &w = white_[white], &b = black_[black];
  const auto is_within = [](const ComponentBox& inner, const ComponentBox& outer) {
    return inner.left > outer.left && inner.right < outer.right && inner.top > outer.top && inner.bottom < outer.bottom;
  };
  return !(is_within(w, b) && !inside_.white) && !(is_within(b, w) && !inside_.black);
}

void BorderBand::add(uint32_t white, uint32_t black, Stretch stretch) {
  Met& met = met_[black];
  if (met.white != white) met = {white, may_be_wanted(white, black) ? border_of(white, black) : NOT_WANTED};
  if (met.border == NOT_WANTED) return;
  stretch.border = met.border;
  stretches_.push_back(stretch);
  Border& border = all_[stretch.border];
  const int outward = stretch.turn == Turn::white_right || stretch.turn == Turn::white_below ? 1 : -1;
  const int x = stretch.point_x(), y = stretch.point_y(), last_x = x + 2 * (stretch.length - 1),
            many = stretch.length * outward;
  border.points += stretch.length;
  border.box.left = static_cast<uint16_t>(std::min<int>(border.box.left, x));
  border.box.right = static_cast<uint16_t>(std::max<int>(border.box.right, last_x));
  border.box.top = static_cast<uint16_t>(std::min<int>(border.box.top, y));
  border.box.bottom = static_cast<uint16_t>(std::max<int>(border.box.bottom, y));
  (stretch.is_across() ? border.outward_y : border.outward_x) += many;
  border.place_outward += static_cast<int64_t>(stretch.is_across() ? y : x) * many;
}

uint32_t BorderBand::border_of(uint32_t white, uint32_t black) {
  if (2 * (all_.size() + 1) > table_.size()) make_room();
  for (size_t place = place_of(white, black, table_.size());; place = (place + 1) & (table_.size() - 1)) {
    const uint32_t found = table_[place];
    if (found == 0) {
      all_.push_back({white, black});
      table_[place] = static_cast<uint32_t>(all_.size());
      return table_[place] - 1;
    }
    const Border& border = all_[found - 1];
    if (border.white == white && border.black == black) return found - 1;
  }
}

void BorderBand::make_room() {
  table_.assign(2 * table_.size(), 0);
  for (size_t i = 0; i < all_.size(); i++) {
    size_t place = place_of(all_[i].white, all_[i].black, table_.size());
    while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
    table_[place] = static_cast<uint32_t>(i + 1);
  }
}

uint32_t BorderBand::add(const Border& more) {
  const uint32_t number = border_of(more.white, more.black);
  Border& border = all_[number];
  border.points += more.points;
  border.box.left = std::min(border.box.left, more.box.left);
  border.box.right = std::max(border.box.right, more.box.right);
  border.box.top = std::min(border.box.top, more.box.top);
  border.box.bottom = std::max(border.box.bottom, more.box.bottom);
  border.outward_x += more.outward_x;
  border.outward_y += more.outward_y;
  border.place_outward += more.place_outward;
  return number;
}

void BorderBand::make_points(BorderPoint* points) {
  for (const Stretch& stretch : stretches_) {
    uint32_t& next = next_[stretch.border];
    if (next == NOT_WANTED) continue;
    for (int i = 0; i < stretch.length; i++)
      points[next + i] = {static_cast<uint16_t>(stretch.point_x() + 2 * i), static_cast<uint16_t>(stretch.point_y())};
    next += stretch.length;
  }
}

}  // namespace vedette
