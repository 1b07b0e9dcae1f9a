#include "printed_pattern.h"

#include <algorithm>
#include <cmath>

namespace vedette {

PrintedPattern::PrintedPattern(const apriltag_family_t& family, int id) : across(family.total_width), border((family.total_width - family.width_at_border) / 2) {
  for (auto& row : known) std::fill(std::begin(row), std::end(row), 0.0f);
  for (auto& row : white) std::fill(std::begin(row), std::end(row), 0.5f);
  const auto print = [&](int x, int y, bool is_white) {
    white[y + border + 1][x + border + 1] = is_white;
    known[y + border + 1][x + border + 1] = 1;
  };
  const int width = family.width_at_border;
  for (int out = 0; out < 2; out++) {
    const int from = -out, to = width - 1 + out;
    for (int i = from; i <= to; i++)
      for (const int side : {from, to}) print(i, side, (out == 0) == family.reversed_border), print(side, i, (out == 0) == family.reversed_border);
  }
  for (uint32_t bit = 0; bit < family.nbits; bit++)
    print(static_cast<int>(family.bit_x[bit]), static_cast<int>(family.bit_y[bit]), family.codes[id] >> (family.nbits - 1 - bit) & 1);
  for (int y = 1; y <= across; y++)
    for (int x = 1; x <= across; x++) has_gaps = has_gaps || known[y][x] == 0;
  for (int i = 1; i <= across; i++) {
    white[i][0] = white[i][1], white[i][across + 1] = white[i][across];
    white[0][i] = white[1][i], white[across + 1][i] = white[across][i];
  }
  for (const int y : {0, across + 1})
    for (const int x : {0, across + 1}) white[y][x] = white[std::clamp(y, 1, across)][std::clamp(x, 1, across)];
}

void Boundaries::see(float at, float reach, int across) {
  // Held to the tag before they become whole numbers: a reach may be beyond all of them, or none.
  const int from = static_cast<int>(std::max(-1.0f, std::floor(at - reach))), to = static_cast<int>(std::min(static_cast<float>(across), std::floor(at + reach)));
  first = from + 1;
  count = to - from;
  const float inverse = 1 / reach;
  for (int k = 0; k < count; k++) {
    const float e = (static_cast<float>(first + k) - at) * inverse, left = 1 - e * e;
    const float density = 0.9375f * left * left;
    before[k] = 0.5f + 0.9375f * e * (1 - e * e * (2.0f / 3 - 0.2f * e * e));
    slope[k] = -density * inverse;
    widening[k] = -density * e;
  }
  inside = 1;
  if (from < 0 && count > 0) inside -= before[0];
  if (to >= across && count > 0) inside -= 1 - before[count - 1];
}

namespace {

/** Of one row of modules, all of it. */
struct RowShade {
  float white, by_x = 0, by_blur = 0;

  RowShade(const float* modules, const Boundaries& across) : white(modules[across.count]) {
    for (int i = 0; i < across.count; i++) {
      const float change = modules[i] - modules[i + 1];
      white += across.before[i] * change;
      by_x += across.slope[i] * change;
      by_blur += across.widening[i] * change;
    }
  }
};

/** The share of the light that comes from between two boundaries. */
float share_of(const Boundaries& boundaries, int k) {
  return (k == boundaries.count ? 1 : boundaries.before[k]) - (k == 0 ? 0 : boundaries.before[k - 1]);
}

}  // namespace

Shade shade_of(const PrintedPattern& pattern, const Boundaries& across, const Boundaries& down) {
  Shade out{0, 0, 0, 0, across.inside * down.inside};
  RowShade row(&pattern.white[down.first][across.first], across);
  for (int k = 0; k <= down.count; k++) {
    const float share = share_of(down, k);
    out.white += share * row.white;
    out.by_x += share * row.by_x;
    out.by_blur += share * row.by_blur;
    if (k == down.count) break;
    const RowShade next(&pattern.white[down.first + k + 1][across.first], across);
    out.by_y += down.slope[k] * (row.white - next.white);
    out.by_blur += down.widening[k] * (row.white - next.white);
    row = next;
  }
  if (pattern.has_gaps) {
    out.known = 0;
    for (int k = 0; k <= down.count; k++)
      for (int i = 0; i <= across.count; i++) out.known += share_of(down, k) * share_of(across, i) * pattern.known[down.first + k][across.first + i];
  }
  return out;
}

}  // namespace vedette
