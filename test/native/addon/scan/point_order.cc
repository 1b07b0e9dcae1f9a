// The points of a border in their order around its middle, against directions compared exactly.
#include "point_order.h"

#include <cmath>
#include <set>
#include <tuple>

#include "pictures.h"

namespace vedette::test {
namespace {

/** Points all around, row by row, none twice. */
std::vector<BorderPoint> some_points(int count, int size, Dice& dice) {
  std::set<std::pair<int, int>> places;
  while (static_cast<int>(places.size()) < count) {
    const int x = dice.below(size);
    places.insert({2 * dice.below(size) + (x % 2 == 0), x});
  }
  std::vector<BorderPoint> out;
  for (const auto& [y, x] : places) out.push_back({static_cast<uint16_t>(x), static_cast<uint16_t>(y)});
  return out;
}

/** From the left on, clockwise on the screen. */
int quarter_of(int64_t x, int64_t y) { return x < 0 && y <= 0 ? 0 : x >= 0 && y < 0 ? 1 : x > 0 && y >= 0 ? 2 : 3; }

const Suite suite([] {
  test("points are sorted clockwise from the left, all of them, few and many", [] {
    Dice dice(51);
    PointOrder order;
    for (const int count : {1, 2, 24, 191, 192, 193, 3000})
      for (const int size : {120, 500, 20000}) {
        const std::vector<BorderPoint> points = some_points(count, size, dice);
        BorderBox box{UINT16_MAX, UINT16_MAX, 0, 0};
        for (const BorderPoint& each : points) {
          box.left = std::min(box.left, each.x), box.right = std::max(box.right, each.x);
          box.top = std::min(box.top, each.y), box.bottom = std::max(box.bottom, each.y);
        }
        const BorderPoint* sorted = order.sorted(points.data(), points.size(), box);
        std::set<std::pair<int, int>> all, before;
        for (const BorderPoint& each : points) before.insert({each.x, each.y});
        for (int i = 0; i < count; i++) {
          all.insert({sorted[i].x, sorted[i].y});
          if (i == 0) continue;
          // Quarters of a pixel from the middle, a little aside as the sorting has it.
          const auto from_middle = [&](const BorderPoint& p) {
            return std::pair<int64_t, int64_t>{4 * p.x - 2 * (box.left + box.right) + 1,
                                               4 * p.y - 2 * (box.top + box.bottom) - 1};
          };
          const auto [ax, ay] = from_middle(sorted[i - 1]);
          const auto [bx, by] = from_middle(sorted[i]);
          const int quarters = quarter_of(bx, by) - quarter_of(ax, ay);
          // What rounds to one direction may stand either way: some hundred-thousandths of a turn.
          const double turn = static_cast<double>(ax * by - ay * bx),
                       length = std::sqrt(static_cast<double>(ax * ax + ay * ay)) *
                                std::sqrt(static_cast<double>(bx * bx + by * by));
          expect(quarters > 0 || (quarters == 0 && turn >= -1e-5 * length),
                 text("point %d of %d stands before one that comes earlier", i, count));
        }
        expect(all == before, text("%zu of %d points are left", all.size(), count));
      }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
