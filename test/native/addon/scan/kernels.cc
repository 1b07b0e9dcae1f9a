// The loops over pixels, on every vector path that this processor has, against the rule written out.
#include <algorithm>

#include "pictures.h"

namespace vedette::test {
namespace {

/** What pixels may be: anything, black and white alone, or next to some level. */
enum class Kind { any, extreme, near };

uint8_t pixel(Dice& dice, Kind kind, int level) {
  if (kind == Kind::any) return static_cast<uint8_t>(dice.below(256));
  if (kind == Kind::extreme) return dice.below(2) ? 255 : 0;
  return static_cast<uint8_t>(std::clamp(level + dice.below(3) - 1, 0, 255));
}

std::vector<int> widths(int step) {
  std::vector<int> out;
  for (int width = step; width <= 200; width += step) out.push_back(width);
  for (const int width : {1024, 1280, 1279 / step * step, 4095 / step * step}) out.push_back(width);
  return out;
}

const Suite suite([] {
  test("every vector path tells the darkest and the brightest of each tile", [] {
    Dice dice(11);
    for (const NamedPath& each : vector_paths())
      for (const Kind kind : {Kind::any, Kind::extreme, Kind::near})
        for (const int width : widths(TILE_PX))
          for (const int more : {0, 1, 7}) {
            const int tiles = width / TILE_PX, stride = width + more;
            const size_t aside = dice.below(16);
            Exactly<uint8_t> pixels(static_cast<size_t>(3) * stride + width, aside), darkest(tiles, dice.below(16)),
                brightest(tiles, dice.below(16));
            for (size_t i = 0; i < pixels.size(); i++) pixels[i] = pixel(dice, kind, 128);
            row_kernels(each.path)->extremes(pixels.data(), stride, tiles, darkest.data(), brightest.data());
            for (int tile = 0; tile < tiles; tile++) {
              int least = 255, most = 0;
              for (int i = 0; i < TILE_PX * TILE_PX; i++) {
                const int grey = pixels[static_cast<size_t>(i / TILE_PX) * stride + tile * TILE_PX + i % TILE_PX];
                least = std::min(least, grey), most = std::max(most, grey);
              }
              expect(darkest[tile] == least && brightest[tile] == most,
                     text("%s: tile %d of %d is from %d to %d, not from %d to %d", each.name, tile, tiles,
                          darkest[tile], brightest[tile], least, most));
            }
          }
    return names_of_paths();
  });

  test("every vector path tells which pixels are brighter than the level of their tile, in whole words", [] {
    Dice dice(12);
    for (const NamedPath& each : vector_paths())
      for (const Kind kind : {Kind::any, Kind::extreme, Kind::near})
        for (const int width : widths(1))
          for (const int level : {-1, 0, 1, 127, 128, 254, 255}) {  // -1: another for each tile
            Exactly<uint8_t> pixels(width, dice.below(16)), levels((width + TILE_PX - 1) / TILE_PX, dice.below(16));
            Exactly<uint64_t> bits((width + 63) / 64);
            bits.fill(0xA5);
            for (size_t i = 0; i < levels.size(); i++)
              levels[i] = static_cast<uint8_t>(level < 0 ? dice.below(256) : level);
            for (int x = 0; x < width; x++) pixels[x] = pixel(dice, kind, levels[x / TILE_PX]);
            row_kernels(each.path)->brighter(pixels.data(), width, levels.data(), bits.data());
            for (int x = 0; x < static_cast<int>(bits.size()) * 64; x++) {
              const bool is_set = bits[x / 64] >> (x % 64) & 1,
                         is_brighter = x < width && pixels[x] > levels[x / TILE_PX];
              expect(is_set == is_brighter, text("%s: bit %d of a row of %d is %d", each.name, x, width, is_set));
            }
          }
    return names_of_paths();
  });
});

}  // namespace
}  // namespace vedette::test
