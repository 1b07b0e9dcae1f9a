// Lines through stretches of an outline by sums, against sums over the points of each stretch alone.
#include "line_sums.h"

#include <cmath>

#include "pictures.h"

namespace vedette::test {
namespace {

/** A crooked ring about (0, 0). */
std::vector<LineSums::Point> some_ring(int count, int size, Dice& dice) {
  std::vector<LineSums::Point> out;
  for (int i = 0; i < count; i++) {
    const double angle = 2 * CV_PI * i / count, far = size * (0.8 + dice.below(100) / 500.0);
    out.push_back(
        {static_cast<int>(far * std::cos(angle)), static_cast<int>(far * std::sin(angle)), 1 + dice.below(361)});
  }
  return out;
}

/** Of the points from one on, so many of them: the mean square of their distances from the line through them, px. */
long double mean_square_of(const std::vector<LineSums::Point>& ring, size_t from, size_t many) {
  long double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  const auto each = [&](const auto& use) {
    for (size_t i = 0; i < many; i++) use(ring[(from + i) % ring.size()]);
  };
  each([&](const LineSums::Point& point) {
    w += point.weight, x += point.weight * point.x, y += point.weight * point.y;
  });
  each([&](const LineSums::Point& point) {
    const long double dx = point.x - x / w, dy = point.y - y / w;
    xx += point.weight * dx * dx, xy += point.weight * dx * dy, yy += point.weight * dy * dy;
  });
  return ((xx + yy) / 2 - std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy)) / w / 4;
}

/** Sizes of the rings, half pixels, and what rounding may add to a mean square. */
constexpr int SIZES[] = {10, 300, 16'000};
double rounding_of(int size) { return 1e-14 * size * size; }

const Suite suite([] {
  test("the errors of all stretches of one length are those of their points, round the end as well", [] {
    Dice dice(61);
    LineSums sums;
    for (const int count : {20, 21, 200, 5'000, 37})
      for (const int size : SIZES) {
        const std::vector<LineSums::Point> ring = some_ring(count, size, dice);
        sums.set(ring.size(), [&](size_t i) { return ring[i]; });
        for (const int many : {5, count / 6, count}) {
          std::vector<double> errors(ring.size());
          sums.errors_onward(many, errors.data());
          for (int i = 0; i < count; i += 1 + count / 100) {
            const auto truth = static_cast<double>(mean_square_of(ring, i, many));
            expect(
                std::fabs(errors[i] / many - truth) <= rounding_of(size) + 1e-9 * truth,
                text("%d points from %d on, of %d in %d: %g, not %g", many, i, count, size, errors[i] / many, truth));
          }
        }
      }
    return "";
  });

  test("lines between corners have the errors of their points and their direction, also round the end", [] {
    Dice dice(62);
    LineSums sums;
    LinesBetween lines;
    for (int round = 0; round < 200; round++) {
      const int size = SIZES[round % 3], many = 4 + dice.below(LinesBetween::MAX_CORNERS - 3);
      const std::vector<LineSums::Point> ring = some_ring(30 + dice.below(400), size, dice);
      const int count = static_cast<int>(ring.size());
      sums.set(ring.size(), [&](size_t i) { return ring[i]; });
      std::vector<int> corners;
      for (int i = 0; i < many; i++) corners.push_back(count / many * i + dice.below(count / many));
      lines.set(sums, corners);
      for (int i = 0; i < many; i++)
        for (int onward = 1; onward < many; onward++) {
          const int from = corners[i], to = corners[(i + onward) % many], points = (to - from + count) % count + 1;
          const auto truth = static_cast<double>(mean_square_of(ring, from, points));
          const std::string which = text("from %d to %d of %d in %d: ", from, to, count, size);
          expect(std::fabs(lines.mean_square(i, onward) - truth) <= rounding_of(size) + 1e-9 * truth,
                 which + text("%g, not %g", lines.mean_square(i, onward), truth));
          expect(lines.total(i, onward) == lines.mean_square(i, onward) * points,
                 which + text("%g of %d points", lines.total(i, onward), points));
        }
      for (int i = 0; i + 2 < many; i++) {
        const StraightLine one = sums.line(corners[i], corners[i + 1]),
                           other = sums.line(corners[i + 1], corners[i + 2]);
        const double cosine = std::fabs(one.normal_x * other.normal_x + one.normal_y * other.normal_y);
        if (std::isnan(cosine)) continue;  // all points of one are in one place
        expect(lines.are_along(i, 1, i + 1, 1, cosine - 1e-9) && !lines.are_along(i, 1, i + 1, 1, cosine + 1e-9),
               text("the cosine between two lines is not %g", cosine));
      }
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
