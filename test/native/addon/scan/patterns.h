// Pictures that are hard on a detector: each is full of borders, or of nothing.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pictures.h"

namespace vedette::test {

struct Pattern {
  std::string name;
  std::function<int(int x, int y)> grey;
};

/** For pictures of width by height. */
inline std::vector<Pattern> patterns(int width, int height) {
  const auto two = [](bool is_white) { return is_white ? 255 : 0; };
  std::vector<Pattern> out{
      {"all black", [](int, int) { return 0; }},
      {"all white", [](int, int) { return 255; }},
      {"noise", [dice = std::make_shared<Dice>(71)](int, int) { return dice->below(256); }},
      {"black and white noise", [dice = std::make_shared<Dice>(72), two](int, int) { return two(dice->below(2)); }},
      {"black with five levels of noise", [dice = std::make_shared<Dice>(73)](int, int) { return dice->below(6); }},
      {"spiral", [=](int x, int y) { return two(is_on_spiral(x, y, std::max(width, height))); }},
      {"comb", [=](int x, int y) { return two(x % 2 == 0 || y == 0); }},
      {"comb that opens downwards", [=](int x, int y) { return two(x % 4 < 2 || y + 1 == height); }},
      {"rings", [=](int x, int y) { return two(static_cast<int>(std::hypot(x - width / 2, y - height / 2)) % 8 < 4); }},
      {"square rings",
       [=](int x, int y) { return two(std::min(std::min(x, width - 1 - x), std::min(y, height - 1 - y)) % 10 < 5); }},
      {"slope", [=](int x, int y) { return (x + y) * 255 / (width + height); }},
  };
  for (const int px : {1, 2, 5, 6})
    out.push_back({text("checkerboard of %d px", px), [=](int x, int y) { return two((x / px + y / px) % 2); }});
  for (const int px : {1, 2, 3}) {
    out.push_back({text("stripes across of %d px", px), [=](int, int y) { return two(y / px % 2); }});
    out.push_back({text("stripes down of %d px", px), [=](int x, int) { return two(x / px % 2); }});
  }
  return out;
}

}  // namespace vedette::test
