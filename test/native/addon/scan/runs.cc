// What hangs together, from runs, against a flood over pixels.
#include "runs.h"

#include "components.h"

namespace vedette::test {
namespace {

void expect_as_flooded(Runs& runs, const Plane& plane, int colour, uint32_t min_pixels) {
  add_rows(runs, plane, colour, min_pixels);
  const std::vector<int> truth = flood(plane, colour, colour == WHITE, min_pixels);
  const std::string which = text("%s of %dx%d, of %u pixels at least", colour == WHITE ? "white" : "black", plane.width,
                                 plane.height, min_pixels);
  expect(components_of(runs, plane) == truth, "other components: " + which);
  const std::vector<ComponentBox> boxes = boxes_of(plane, truth), &found = runs.components();
  expect(found.size() == boxes.size(), text("%zu boxes, not %zu: ", found.size(), boxes.size()) + which);
  for (size_t i = 0; i < boxes.size(); i++)
    expect(found[i].left == boxes[i].left && found[i].top == boxes[i].top && found[i].right == boxes[i].right &&
               found[i].bottom == boxes[i].bottom,
           text("another box of component %zu: ", i) + which);
}

const Suite suite([] {
  test("runs join as a flood fill does, black by sides, white also by corners, numbered, without small ones", [] {
    Dice dice(31);
    Runs black(false), white(true);
    int planes = 0;
    for (const int width : {1, 2, 9, 63, 64, 65, 128, 150})
      for (const int height : {1, 2, 14, 33})
        for (const int share : {10, 40, 50, 60, 90})
          for (const int blob_px : {1, 3}) {
            const Plane plane = random_plane(width, height, share, share == 50 ? 20 : 0, blob_px, dice);
            for (const uint32_t least : {1U, 2U, 25U}) {
              expect_as_flooded(black, plane, BLACK, least);
              expect_as_flooded(white, plane, WHITE, least);
            }
            planes++;
          }
    return text("%d pictures", planes);
  });

  test("stripes, checkerboards, combs and spirals hang together as a flood tells", [] {
    Runs black(false), white(true);
    const auto check = [&](const std::function<bool(int x, int y)>& is_white) {
      const Plane plane = plane_of(128, 128, [&](int x, int y) { return is_white(x, y) ? WHITE : BLACK; });
      for (const uint32_t least : {1U, 25U}) {
        expect_as_flooded(black, plane, BLACK, least);
        expect_as_flooded(white, plane, WHITE, least);
      }
    };
    check([](int, int y) { return y % 2 == 0; });
    check([](int x, int) { return x % 2 == 0; });
    check([](int x, int y) { return (x + y) % 2 == 0; });
    check([](int x, int y) { return x % 2 == 0 || y == 127; });
    check([](int x, int y) { return x % 2 == 0 || y == 0; });
    check([](int x, int y) { return is_on_spiral(x, y, 128); });
    check([](int x, int y) { return (x + 2 * y) % 7 < 3; });
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
