// PNGs: the numbers that stand in them, and the same grey and colours as a JPEG of the same.
#include <cstdlib>

#include "check.h"
#include "picture.h"
#include "png_file.h"
#include "suites.h"

namespace vedette::test {
namespace {

constexpr int PATCH = 48, HEIGHT = 48;  // whole blocks, so that no colour runs over into the next
const uint8_t COLOURS[][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}, {255, 0, 255}, {60, 120, 200}};
constexpr int COUNT = sizeof COLOURS / sizeof *COLOURS;

/** All of one level. */
std::vector<uint8_t> gray_of_16_bits(uint16_t level) {
  PngPixels pixels{8, 8, 1, 2, std::vector<uint8_t>(8 * 8 * 2)};
  for (size_t i = 0; i < 64; i++) reinterpret_cast<uint16_t*>(pixels.samples.data())[i] = level;
  return write_png(pixels);
}

/** The same file with a note that its numbers are linear light. */
std::vector<uint8_t> with_gamma_1(std::vector<uint8_t> png) {
  const uint8_t note[] = {0, 0, 0, 4, 'g', 'A', 'M', 'A', 0, 1, 0x86, 0xa0, 0x31, 0xe8, 0x96, 0x5f};
  png.insert(png.begin() + 33, std::begin(note), std::end(note));
  return png;
}

/** The six colours side by side, with an alpha channel where one is wanted. */
PngPixels colours(int channels, int alpha = 255) {
  PngPixels out{COUNT * PATCH, HEIGHT, channels, 1, {}};
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < out.width; x++) {
      for (const uint8_t level : COLOURS[x / PATCH]) out.samples.push_back(level);
      if (channels == 4) out.samples.push_back(static_cast<uint8_t>(alpha));
    }
  return out;
}

std::vector<uint8_t> jpeg_of(const PngPixels& rgb) {
  std::vector<uint8_t> bgr = rgb.samples;
  for (size_t i = 0; i < bgr.size(); i += 3) std::swap(bgr[i], bgr[i + 2]);
  PictureEncoder encoder;
  int width = 0, height = 0;
  return encoder.encode({bgr.data(), rgb.width, rgb.height, 3 * rgb.width, 3}, 100, 0, width, height);
}

void expect_all(const std::vector<uint8_t>& png, int level) {
  PictureDecoder decoder;
  GrayImage out;
  decoder.decode_gray(png.data(), png.size(), out);
  for (const uint8_t got : out.pixels) expect(got == level, text("%d instead of %d", got, level));
}

/** Grey and colour in the middle of each patch. */
std::vector<int> seen(const std::vector<uint8_t>& file) {
  PictureDecoder decoder;
  GrayImage gray;
  Chroma chroma;
  decoder.decode_colour(file.data(), file.size(), gray, chroma);
  std::vector<int> levels;
  for (int n = 0; n < COUNT; n++) {
    const int x = n * PATCH + PATCH / 2, y = HEIGHT / 2;
    const size_t at = static_cast<size_t>(y >> chroma.shift_y) * chroma.width + (x >> chroma.shift_x);
    const int all[] = {gray.data()[y * gray.stride + x], chroma.cb[at], chroma.cr[at]};
    levels.insert(levels.end(), std::begin(all), std::end(all));
  }
  return levels;
}

}  // namespace

void test_pngs() {
  test("16 bits of a PNG are rounded to 8, whatever their gamma", [] {
    for (const int level : {0, 1, 64, 128, 200, 255}) {
      expect_all(gray_of_16_bits(static_cast<uint16_t>(257 * level)), level);
      expect_all(with_gamma_1(gray_of_16_bits(static_cast<uint16_t>(257 * level))), level);
    }
    return std::string();
  });

  test("what a PNG says of gamma changes no level of 8 bits", [] {
    for (const int level : {0, 1, 64, 128, 200, 255}) {
      const PngPixels pixels{8, 8, 1, 1, std::vector<uint8_t>(64, static_cast<uint8_t>(level))};
      expect_all(with_gamma_1(write_png(pixels)), level);
    }
    return std::string();
  });

  test("pure colours have the same grey and the same colour in a PNG and in a JPEG", [] {
    const std::vector<int> png = seen(write_png(colours(3))), jpeg = seen(jpeg_of(colours(3)));
    int worst = 0;
    for (size_t i = 0; i < png.size(); i++) worst = std::max(worst, std::abs(png[i] - jpeg[i]));
    expect(worst <= 2, text("%d levels between them", worst));
    expect(png[0] == 76 && png[3] == 150 && png[6] == 29, text("grey %d, %d, %d", png[0], png[3], png[6]));
    return text("%d levels between them", worst);
  });

  test("transparent pixels lie on white paper, as far as they are transparent", [] {
    const std::vector<int> whole = seen(write_png(colours(4, 255))), none = seen(write_png(colours(4, 0)));
    expect(whole == seen(write_png(colours(3))), "what is not transparent has other colours");
    for (size_t i = 0; i < none.size(); i++) expect(none[i] == (i % 3 == 0 ? 255 : 128), text("%d", none[i]));
    const int half = seen(write_png(colours(4, 128)))[0];
    expect(std::abs(half - (76 * 128 + 255 * 127) / 255) <= 1, text("half a red is %d", half));
    return std::string();
  });
}

}  // namespace vedette::test
