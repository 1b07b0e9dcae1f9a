#include "printed_pattern.h"

#include <algorithm>
#include <cmath>

namespace vedette {

PrintedPattern::PrintedPattern(const apriltag_family_t& family, int id)
    : across(family.total_width), border((family.total_width - family.width_at_border) / 2) {
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
      for (const int side : {from, to})
        print(i, side, (out == 0) == family.reversed_border), print(side, i, (out == 0) == family.reversed_border);
  }
  for (uint32_t bit = 0; bit < family.nbits; bit++)
    print(static_cast<int>(family.bit_x[bit]), static_cast<int>(family.bit_y[bit]),
          family.codes[id] >> (family.nbits - 1 - bit) & 1);
  for (int y = 1; y <= across; y++)
    for (int x = 1; x <= across; x++) has_gaps = has_gaps || known[y][x] == 0;
  for (int i = 1; i <= across; i++) {
    white[i][0] = white[i][1], white[i][across + 1] = white[i][across];
    white[0][i] = white[1][i], white[across + 1][i] = white[across][i];
  }
  for (const int y : {0, across + 1})
    for (const int x : {0, across + 1}) white[y][x] = white[std::clamp(y, 1, across)][std::clamp(x, 1, across)];
}

namespace {

/** Of what is blurred: the share that comes from before a boundary. at: from the pixel, of its reach, at most 1. */
Floats share_before(Floats at) {
  const Floats square = at * at;
  return 0.5f + (35.0f / 32) * at * (1 + square * (-1 + square * (0.6f - square * (1.0f / 7))));
}

}  // namespace

bool Boundaries::see(Floats at, Floats reach, int across) {
  const float most = max_lane(reach);
  if (!(2 * most < MAX_BOUNDARIES)) return false;
  count = std::min(static_cast<int>(2 * most) + 1, across + 1);
  const Floats from = clamped(at - reach + 1, 0, static_cast<float>(across + 1 - count)), inverse = 1 / reach;
  first = __builtin_convertvector(from, Ints);
  Floats boundary = __builtin_convertvector(first, Floats) - at;
  for (int k = 0; k < count; k++) {
    const Floats e = clamped(boundary * inverse, -1, 1), left = 1 - e * e;
    const Floats density = (35.0f / 32) * left * left * left;
    before[k] = share_before(e);
    slope[k] = -density * inverse;
    widening[k] = -density * e;
    boundary += 1;
  }
  inside = all_lanes(1);
  const Floats rest = static_cast<float>(across) - at;
  if (max_lane(reach - min_of(at, rest)) > 0)
    inside -= share_before(clamped(-at * inverse, -1, 1)) + (1 - share_before(clamped(rest * inverse, -1, 1)));
  return true;
}

namespace {

/** The share of the light that comes from between two boundaries. */
Floats share_of(const Boundaries& boundaries, int k) {
  return (k == boundaries.count ? all_lanes(1) : boundaries.before[k]) - (k == 0 ? Floats{} : boundaries.before[k - 1]);
}

using Modules = const float (*)[MAX_MODULES_ACROSS + 2];

/** One row of modules of each of four pixels. */
struct Row {
  const float* of[LANES];

  Row(Modules modules, Ints row, Ints column) {
    for (int lane = 0; lane < LANES; lane++) of[lane] = modules[row[lane]] + column[lane];
  }
  Floats operator[](int i) const { return Floats{of[0][i], of[1][i], of[2][i], of[3][i]}; }
};

/** Of one row of modules, all of it. */
struct RowShade {
  Floats white, by_x{}, by_blur{};

  RowShade(const Row& modules, const Boundaries& across) {
    Floats here = modules[0];
    white = here;
    for (int i = 0; i < across.count; i++) {
      const Floats next = modules[i + 1], change = here - next;
      white += (across.before[i] - 1) * change;
      by_x += across.slope[i] * change;
      by_blur += across.widening[i] * change;
      here = next;
    }
  }
};

}  // namespace

Shade shade_of(const PrintedPattern& pattern, const Boundaries& across, const Boundaries& down) {
  const Floats inside = across.inside * down.inside;
  Shade out{{}, {}, {}, {}, inside, inside};
  RowShade row(Row(pattern.white, down.first, across.first), across);
  for (int k = 0; k <= down.count; k++) {
    const Floats share = share_of(down, k);
    out.white += share * row.white;
    out.by_x += share * row.by_x;
    out.by_blur += share * row.by_blur;
    if (k == down.count) break;
    const RowShade next(Row(pattern.white, down.first + (k + 1), across.first), across);
    out.by_y += down.slope[k] * (row.white - next.white);
    out.by_blur += down.widening[k] * (row.white - next.white);
    row = next;
  }
  if (pattern.has_gaps) {
    out.known = Floats{};
    for (int k = 0; k <= down.count; k++) {
      const Row known(pattern.known, down.first + k, across.first);
      for (int i = 0; i <= across.count; i++) out.known += share_of(down, k) * share_of(across, i) * known[i];
    }
  }
  return out;
}

}  // namespace vedette
