// Where black meets white, against all pairs of neighbouring pixels; and which side is inside, against what lies round
// what.
#include "borders.h"

#include <set>
#include <tuple>

#include "components.h"

namespace vedette::test {
namespace {

using Point = std::tuple<int, int>;          // y, x: half pixels
using Pair = std::pair<uint32_t, uint32_t>;  // white, black

/** A place between two pixels, with the direction from black to white. */
struct Contact {
  Point point;
  int outward_x, outward_y;
};

/** One picture, its runs, and what a flood tells of it. */
struct Scene {
  Plane plane;
  uint32_t min_pixels;
  Runs black{false}, white{true};
  std::vector<int> black_of, white_of;
  std::map<Pair, std::vector<Contact>> contacts;

  Scene(Plane from, uint32_t least) : plane(std::move(from)), min_pixels(least) {
    add_rows(black, plane, BLACK, least);
    add_rows(white, plane, WHITE, least);
    black_of = flood(plane, BLACK, false, least);
    white_of = flood(plane, WHITE, true, least);
    for (int y = 0; y < plane.height; y++)
      for (int x = 0; x < plane.width; x++) {
        if (x + 1 < plane.width) meet(x, y, 1, 0);
        if (y + 1 < plane.height) meet(x, y, 0, 1);
      }
  }

  void meet(int x, int y, int dx, int dy) {
    const size_t here = static_cast<size_t>(y) * plane.width + x,
                 there = here + static_cast<size_t>(dy) * plane.width + dx;
    const Point point{2 * y + dy, 2 * x + dx};
    if (black_of[here] != NO_COMPONENT && white_of[there] != NO_COMPONENT)
      contacts[{white_of[there], black_of[here]}].push_back({point, dx, dy});
    if (white_of[here] != NO_COMPONENT && black_of[there] != NO_COMPONENT)
      contacts[{white_of[here], black_of[there]}].push_back({point, -dx, -dy});
  }

  /** By the boxes of the two, as the header has it. */
  bool is_sought(const Pair& pair, Inside inside) const {
    const ComponentBox &w = white.components()[pair.first], &b = black.components()[pair.second];
    const auto is_within = [](const ComponentBox& inner, const ComponentBox& outer) {
      return inner.left > outer.left && inner.right < outer.right && inner.top > outer.top &&
             inner.bottom < outer.bottom;
    };
    return (inside.white || !is_within(w, b)) && (inside.black || !is_within(b, w));
  }
};

void expect_as_counted(const Scene& scene, Borders& borders, Inside inside) {
  borders.find(scene.black, scene.white, scene.plane.height, inside);
  std::set<Pair> found;
  std::vector<uint32_t> wanted;
  for (uint32_t i = 0; i < borders.all().size(); i++) {
    const Border& border = borders.all()[i];
    const Pair pair{border.white, border.black};
    const auto truth = scene.contacts.find(pair);
    expect(truth != scene.contacts.end() && scene.is_sought(pair, inside),
           text("white %u and black %u have no border", pair.first, pair.second));
    expect(found.insert(pair).second, text("white %u and black %u have two borders", pair.first, pair.second));
    int left = INT32_MAX, top = INT32_MAX, right = 0, bottom = 0, outward_x = 0, outward_y = 0;
    int64_t place_outward = 0;
    for (const auto& [point, dx, dy] : truth->second) {
      const auto [y, x] = point;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
      outward_x += dx, outward_y += dy, place_outward += x * dx + y * dy;
    }
    expect(border.points == truth->second.size(), text("%u points, not %zu", border.points, truth->second.size()));
    expect(border.box.left == left && border.box.top == top && border.box.right == right && border.box.bottom == bottom,
           "another box");
    expect(border.outward_x == outward_x && border.outward_y == outward_y && border.place_outward == place_outward,
           "other sums");
    double round_the_middle = 0;
    for (const auto& [point, dx, dy] : truth->second)
      round_the_middle +=
          (std::get<1>(point) - (left + right) / 2.0) * dx + (std::get<0>(point) - (top + bottom) / 2.0) * dy;
    expect(is_black_inside(border) == (round_the_middle > 0),
           text("black inside: %d, round the middle: %g", is_black_inside(border), round_the_middle));
    if (i % 3 != 1) wanted.push_back(i);
  }
  size_t sought = 0;
  for (const auto& [pair, contacts] : scene.contacts) sought += scene.is_sought(pair, inside);
  expect(found.size() == sought, text("%zu borders, not %zu", found.size(), sought));

  std::reverse(wanted.begin(), wanted.end());
  borders.make_points(wanted);
  for (size_t i = 0; i < wanted.size(); i++) {
    const Border& border = borders.all()[wanted[i]];
    std::multiset<Point> truth, made;
    for (const Contact& contact : scene.contacts.at({border.white, border.black})) truth.insert(contact.point);
    const Borders::Points points = borders.points_of(i);
    for (size_t k = 0; k < points.count; k++) {
      made.insert({points.points[k].y, points.points[k].x});
      expect(k == 0 || points.points[k].y >= points.points[k - 1].y, "points are not row by row");
    }
    expect(made == truth, text("other points of border %u", wanted[i]));
  }
}

/**
 * The components of either colour, each with the one that lies around it. Of a picture without neither that has a rim
 * of white: there they lie in each other, and each has one.
 */
std::map<Pair, bool> black_inside_by_nesting(const Scene& scene) {
  std::map<Pair, bool> out;
  std::set<Pair> left;
  for (const auto& [pair, contacts] : scene.contacts) left.insert(pair);
  std::set<uint32_t> whites{static_cast<uint32_t>(scene.white_of[0])}, blacks;
  for (bool is_black = true; !left.empty(); is_black = !is_black) {
    std::set<uint32_t> next;
    for (auto at = left.begin(); at != left.end();) {
      const bool is_next = is_black ? whites.count(at->first) > 0 : blacks.count(at->second) > 0;
      if (is_next) {
        next.insert(is_black ? at->second : at->first);
        out[*at] = is_black;
      }
      at = is_next ? left.erase(at) : std::next(at);
    }
    (is_black ? blacks : whites) = next;
    expect(!next.empty(), "the components do not lie in each other");
  }
  return out;
}

const Suite suite([] {
  test("borders have the points, boxes and sums of all pairs of neighbouring pixels", [] {
    Dice dice(41);
    Borders borders;
    size_t found = 0;
    for (const int width : {1, 2, 40, 65, 128})
      for (const int height : {1, 2, 23, 50})
        for (const int neither : {0, 15})
          for (const auto& [blob_px, least] : {std::pair{1, 1U}, {3, 25U}, {5, 1U}}) {
            const Scene scene(random_plane(width, height, 45, neither, blob_px, dice), least);
            for (const Inside inside : {Inside{true, true}, {true, false}, {false, true}, {false, false}}) {
              expect_as_counted(scene, borders, inside);
              found += borders.all().size();
            }
          }
    return text("%zu borders", found);
  });

  test("so many borders that their table grows twice are all found", [] {
    Borders borders;
    // Stripes: all borders come in the first row, and are looked up again in the others.
    const Scene scene(plane_of(9000, 5, [](int x, int) { return x % 2 == 0 ? BLACK : WHITE; }), 1);
    expect_as_counted(scene, borders, {true, true});
    expect(borders.all().size() == 8999, text("%zu borders", borders.all().size()));
    return "";
  });

  test("the colour that lies within the other is inside, and its border is found where that is sought", [] {
    Dice dice(42);
    Borders borders;
    size_t found = 0;
    for (int nth = 0; nth < 60; nth++) {
      const int blob_px = 1 + nth % 4;
      const Plane within = random_plane(60, 45, 30 + nth % 5 * 10, 0, blob_px, dice);
      const Scene scene(
          plane_of(62, 47, [&](int x, int y) { return within.has(x - 1, y - 1) ? within.at(x - 1, y - 1) : WHITE; }),
          1);
      const std::map<Pair, bool> is_black_within = black_inside_by_nesting(scene);
      for (const Inside inside : {Inside{true, false}, {false, true}}) {
        borders.find(scene.black, scene.white, scene.plane.height, inside);
        std::set<Pair> seen;
        for (const Border& border : borders.all()) {
          expect(is_black_inside(border) == is_black_within.at({border.white, border.black}),
                 "the wrong colour is inside");
          seen.insert({border.white, border.black});
        }
        for (const auto& [pair, is_black] : is_black_within)
          if (is_black ? inside.black : inside.white)
            expect(seen.count(pair) == 1, text("%s within is not found", is_black ? "black" : "white"));
        found += seen.size();
      }
    }
    return text("%zu borders", found);
  });
});

}  // namespace
}  // namespace vedette::test
