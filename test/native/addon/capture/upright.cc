// Pictures that lie on their side: set upright where they enter, once, whatever they are made of.
#include <turbojpeg.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "check.h"
#include "orientation.h"
#include "png_file.h"
#include "suites.h"
#include "upright.h"

namespace vedette::test {
namespace {

using Bytes = std::vector<uint8_t>;

/** The table of EXIF with nothing but that in it. */
Bytes exif(int orientation, bool is_little) {
  const auto note = static_cast<uint8_t>(orientation);
  if (is_little) return {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, note, 0, 0, 0, 0, 0, 0, 0};
  return {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, note, 0, 0, 0, 0, 0, 0};
}

Bytes with_note(Bytes jpeg, int orientation, bool is_little = false) {
  const Bytes tiff = exif(orientation, is_little);
  Bytes segment{0xff, 0xe1, 0, static_cast<uint8_t>(tiff.size() + 8), 'E', 'x', 'i', 'f', 0, 0};
  segment.insert(segment.end(), tiff.begin(), tiff.end());
  jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
  return jpeg;
}

/** A PNG with a note before or behind its pixels; libpng checks no sum of what it does not read. */
Bytes with_chunk(Bytes png, int orientation, size_t at) {
  const Bytes tiff = exif(orientation, false);
  Bytes chunk{0, 0, 0, static_cast<uint8_t>(tiff.size()), 'e', 'X', 'I', 'f'};
  chunk.insert(chunk.end(), tiff.begin(), tiff.end());
  chunk.insert(chunk.end(), 4, 0);
  png.insert(png.begin() + static_cast<std::ptrdiff_t>(at), chunk.begin(), chunk.end());
  return png;
}

/** A picture whose upper left quarter is black and whose upper right one is red; the lower ones are white and blue. */
PngPixels quarters(int width, int height) {
  PngPixels out{width, height, 3, 1, {}};
  const uint8_t colours[4][3] = {{0, 0, 0}, {255, 0, 0}, {255, 255, 255}, {0, 0, 255}};
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (const uint8_t level : colours[2 * (y >= height / 2) + (x >= width / 2)]) out.samples.push_back(level);
  return out;
}

Bytes jpeg_of(const PngPixels& rgb, int sampling) {
  const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitCompress(), tjDestroy);
  unsigned char* jpeg = nullptr;
  unsigned long size = 0;
  const int rc =
      tjCompress2(turbo.get(), rgb.samples.data(), rgb.width, 0, rgb.height, TJPF_RGB, &jpeg, &size, sampling, 100, 0);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(jpeg, tjFree);
  expect(rc == 0, "it cannot be encoded");
  return {jpeg, jpeg + size};
}

struct Seen {
  GrayImage gray;
  Chroma chroma;
  int cb(int x, int y) const { return chroma.cb[place(x, y)]; }
  int cr(int x, int y) const { return chroma.cr[place(x, y)]; }
  size_t place(int x, int y) const {
    const int row = (y + chroma.top) >> chroma.shift_y;
    return static_cast<size_t>(row) * chroma.width + ((x + chroma.left) >> chroma.shift_x);
  }
};

Seen decoded(const Bytes& file) {
  Seen seen;
  PictureDecoder().decode_colour(file.data(), file.size(), seen.gray, seen.chroma);
  return seen;
}

/** Pixel (x, y) of what is seen, in what is stored. */
std::array<int, 2> stored_place(int orientation, int x, int y, int width, int height) {
  const int right = width - 1, bottom = height - 1;
  const std::array<int, 2> places[] = {
      {},     {x, y},          {right - x, y},          {right - x, bottom - y}, {x, bottom - y},
      {y, x}, {y, bottom - x}, {right - y, bottom - x}, {right - y, x}};
  return places[orientation];
}

/** The worst difference of grey and of colour, away from the borders of the quarters. */
int worst_between(const Seen& stored, const Seen& seen, int orientation) {
  const int width = stored.gray.width, height = stored.gray.height;
  int worst = 0;
  for (int y = 0; y < seen.gray.height; y++)
    for (int x = 0; x < seen.gray.width; x++) {
      const auto [column, row] = stored_place(orientation, x, y, width, height);
      const int gray = stored.gray.data()[row * stored.gray.stride + column];
      worst = std::max(worst, std::abs(gray - seen.gray.data()[y * seen.gray.stride + x]));
      if (std::abs(column - width / 2) < 5 || std::abs(row - height / 2) < 5) continue;
      worst = std::max(worst, std::abs(stored.cb(column, row) - seen.cb(x, y)));
      worst = std::max(worst, std::abs(stored.cr(column, row) - seen.cr(x, y)));
    }
  return worst;
}

std::vector<Frame> played(const std::string& path, int count) {
  const std::unique_ptr<Source> source = make_images_source({{path}, 1000, true, {}, {"/"}});
  const SourceFormat format = source->open();
  std::atomic<bool> stopping{false};
  std::vector<Frame> frames(static_cast<size_t>(count));
  for (Frame& frame : frames) {
    Fault fault;
    expect(source->next(frame, fault, stopping) == Next::frame, fault.detail);
    expect(frame.width == format.width && frame.height == format.height, "a frame has another size than its source");
  }
  return frames;
}

}  // namespace

void test_upright() {
  test("the eight notes of a JPEG are read in both orders of bytes, and others are none", [] {
    const Bytes plain = jpeg_of(quarters(32, 16), TJSAMP_420);
    expect(noted_orientation(plain.data(), plain.size()) == 1, "a JPEG without a note is turned");
    for (const bool is_little : {false, true})
      for (int note = 0; note <= 9; note++) {
        const Bytes noted = with_note(plain, note, is_little);
        const int wanted = note >= 1 && note <= 8 ? note : 1;
        expect(noted_orientation(noted.data(), noted.size()) == wanted, text("%d is not read", note));
        Bytes forgotten = noted;
        forget_orientation(forgotten);
        expect(noted_orientation(forgotten.data(), forgotten.size()) == 1, text("%d is not forgotten", note));
        expect(forgotten.size() == noted.size(), "it has another length");
      }
    return std::string();
  });

  test("a JPEG that is cut off or damaged anywhere is looked through without harm", [] {
    const Bytes whole = with_note(jpeg_of(quarters(32, 16), TJSAMP_420), 6);
    for (size_t length = 0; length < 120; length++) {
      Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));  // its own block
      noted_orientation(cut.data(), cut.size());
      forget_orientation(cut);
      for (const uint8_t value : {0, 1, 0x7f, 0xff}) {
        Bytes damaged = whole;
        damaged[length] = value;
        noted_orientation(damaged.data(), damaged.size());
        forget_orientation(damaged);
      }
    }
    return std::string();
  });

  test("a PNG is turned by a note before its pixels, and by none behind them, as in a browser", [] {
    const Bytes plain = write_png(quarters(32, 16));
    const Bytes before = with_chunk(plain, 6, 33), behind = with_chunk(plain, 6, plain.size() - 12);
    expect(noted_orientation(before.data(), before.size()) == 6, "the one before is not heeded");
    expect(noted_orientation(behind.data(), behind.size()) == 1, "the one behind is heeded");
    return std::string();
  });

  test("a picture that is set upright has every pixel where it is seen, in grey and in colour", [] {
    int worst = 0;
    for (const auto& [width, height] : {std::pair{64, 32}, std::pair{61, 35}})
      for (const int sampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411}) {
        const Bytes jpeg = jpeg_of(quarters(width, height), sampling);
        const Seen stored = decoded(jpeg);
        for (int orientation = 1; orientation <= 8; orientation++) {
          const Seen seen = decoded(upright_jpeg(jpeg, orientation));
          const bool is_swapped = is_on_its_side(orientation);
          expect(seen.gray.width == (is_swapped ? height : width), "it has another size");
          worst = std::max(worst, worst_between(stored, seen, orientation));
          Seen turned = stored;
          Turner().set_upright(turned.gray, turned.chroma, orientation);
          const int exact = worst_between(stored, turned, orientation);
          expect(exact == 0, text("%d: pixels of a video are %d off", orientation, exact));
        }
      }
    expect(worst <= 2, text("%d levels off", worst));
    return text("at most %d levels between what is stored and what is seen", worst);
  });

  test("a picture in a file is played upright, at once and from the cache, and says nothing of its side any more", [] {
    const TemporaryFolder folder;
    const PngPixels pixels = quarters(64, 32);
    const Bytes jpeg = jpeg_of(pixels, TJSAMP_420), png = write_png(pixels);
    const std::string paths[] = {folder.write("a.jpg", with_note(jpeg, 6)),
                                 folder.write("b.png", with_chunk(png, 6, 33))};
    for (const std::string& path : paths)
      for (const Frame& frame : played(path, 2)) {
        expect(frame.width == 32 && frame.height == 64, text("%dx%d", frame.width, frame.height));
        expect(noted_orientation(frame.encoded.data(), frame.encoded.size()) == 1, "it would be turned again");
        const Seen seen = decoded(frame.encoded);
        // Turned clockwise, the upper left is what was at the lower left: white. Then black, blue and red.
        const auto at = [&](int x, int y) { return int{seen.gray.data()[y * seen.gray.stride + x]}; };
        expect(at(4, 4) > 250 && at(28, 4) < 5, text("%d and %d above", at(4, 4), at(28, 4)));
        const int blue = at(4, 60), red = at(28, 60);
        expect(std::abs(blue - 29) < 4 && std::abs(red - 76) < 4, text("%d and %d below", blue, red));
      }
    return std::string();
  });

  test("a picture that cannot be decoded is refused by its name, whichever side is up", [] {
    const TemporaryFolder folder;
    Bytes jpeg = with_note(jpeg_of(quarters(64, 32), TJSAMP_420), 6);
    jpeg.erase(jpeg.begin() + static_cast<std::ptrdiff_t>(jpeg.size()) - 80, jpeg.end() - 2);
    const std::string path = folder.write("half.jpg", jpeg);
    const Fault fault = fault_of([&] { make_images_source({{path}, 30, true, {}, {"/"}})->open(); });
    expect(fault.code == "camera.unreadable" && fault.detail.find("half.jpg") != std::string::npos, fault.detail);
    return fault.detail;
  });
}

}  // namespace vedette::test
