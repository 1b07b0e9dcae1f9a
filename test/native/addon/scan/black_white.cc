// Pictures in black and white against the rule as the header has it, a pixel at a time.
#include "black_white.h"

#include <algorithm>

#include "pictures.h"

namespace vedette::test {
namespace {

enum Colour { neither, black, white };

Colour colour_of(const Picture& picture, int x, int y) {
  const int tiles = picture.width() / 4, rows = picture.height() / 4;
  const int column = std::min(x / 4, tiles - 1), row = std::min(y / 4, rows - 1);
  int least = 255, most = 0;
  for (int v = 4 * std::max(row - 1, 0); v < 4 * std::min(row + 2, rows); v++)
    for (int u = 4 * std::max(column - 1, 0); u < 4 * std::min(column + 2, tiles); u++) {
      const int grey = picture.at(u, v);
      least = std::min(least, grey), most = std::max(most, grey);
    }
  if (most - least < 5) return neither;
  return picture.at(x, y) > (least + most) / 2 ? white : black;
}

/** Patches of different light, each as good as even: so that contrast is often just enough, and often just not. */
Picture patches(int width, int height, Dice& dice) {
  const int reach = 2 + dice.below(8), seed = dice.below(1000);
  return Picture(width, height, [&](int x, int y) {
    Dice patch(static_cast<uint64_t>(seed) + x / 13 * 64 + y / 11);
    return std::min(255, patch.below(4) * 84 + dice.below(reach));
  });
}

void expect_as_the_rule(BlackWhite& black_white, const Picture& picture, const char* path) {
  black_white.begin(picture.view());
  for (int y = 0; y < picture.height(); y++) {
    const RowBits bits = black_white.row(y);
    expect(bits.words == (picture.width() + 63) / 64, text("%d words for %d pixels", bits.words, picture.width()));
    for (int x = 0; x < bits.words * 64; x++) {
      const bool is_black = bits.black[x / 64] >> (x % 64) & 1, is_white = bits.white[x / 64] >> (x % 64) & 1;
      const Colour colour = x < picture.width() ? colour_of(picture, x, y) : neither;
      expect(is_black == (colour == black) && is_white == (colour == white),
             text("%s: pixel (%d, %d) of %dx%d is black: %d, white: %d", path, x, y, picture.width(), picture.height(),
                  is_black, is_white));
    }
  }
}

const Suite suite([] {
  test("black, white and neither are as the rule has them, in pictures of any size one after the other", [] {
    int pictures = 0;
    for (const NamedPath& each : vector_paths()) {
      Dice dice(21);
      BlackWhite black_white(*row_kernels(each.path));
      for (const int width : {4, 5, 7, 8, 63, 64, 65, 67, 130, 191, 197})
        for (const int height : {4, 5, 6, 7, 8, 9, 13, 30}) {
          expect_as_the_rule(black_white, patches(width, height, dice), each.name);
          expect_as_the_rule(black_white, noise(width, height, dice.word()), each.name);
          pictures += 2;
        }
    }
    return text("%d pictures", pictures);
  });

  test("five grey levels are contrast enough, four are none", [] {
    BlackWhite black_white(*row_kernels(VectorPath::scalar));
    for (const int contrast : {4, 5}) {
      const Picture picture(16, 16, [&](int x, int) { return x < 8 ? 100 : 100 + contrast; });
      black_white.begin(picture.view());
      const RowBits bits = black_white.row(8);
      expect(bits.black[0] == (contrast == 5 ? 0x00F0U : 0) && bits.white[0] == (contrast == 5 ? 0x0F00U : 0),
             text("%d levels: black %llx, white %llx", contrast, static_cast<unsigned long long>(bits.black[0]),
                  static_cast<unsigned long long>(bits.white[0])));
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
