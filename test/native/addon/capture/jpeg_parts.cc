// Parts of JPEGs: what is cut out is what was there.
#include <turbojpeg.h>

#include <cmath>
#include <random>

#include "check.h"
#include "jpeg_crop.h"
#include "picture.h"
#include "suites.h"

namespace vedette::test {
namespace {

constexpr int WIDTH = 320, HEIGHT = 240;

/** A soft pattern in colours. */
std::vector<uint8_t> coloured_jpeg(int sampling) {
  std::vector<uint8_t> pixels(static_cast<size_t>(3) * WIDTH * HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      uint8_t* pixel = &pixels[static_cast<size_t>(3) * (y * WIDTH + x)];
      pixel[0] = static_cast<uint8_t>(128 + 100 * std::sin(x / 9.0));
      pixel[1] = static_cast<uint8_t>(128 + 100 * std::sin(y / 7.0));
      pixel[2] = static_cast<uint8_t>((x + y) / 3);
    }
  const tjhandle turbo = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long length = 0;
  tjCompress2(turbo, pixels.data(), WIDTH, 0, HEIGHT, TJPF_RGB, &bytes, &length, sampling, 90, 0);
  std::vector<uint8_t> jpeg(bytes, bytes + length);
  tjFree(bytes);
  tjDestroy(turbo);
  return jpeg;
}

std::vector<uint8_t> rgb_of(const std::vector<uint8_t>& jpeg, int& width, int& height) {
  const tjhandle turbo = tjInitDecompress();
  int sampling = 0, colours = 0;
  tjDecompressHeader3(turbo, jpeg.data(), jpeg.size(), &width, &height, &sampling, &colours);
  std::vector<uint8_t> pixels(static_cast<size_t>(3) * width * height);
  tjDecompress2(turbo, jpeg.data(), jpeg.size(), pixels.data(), width, 0, height, TJPF_RGB, 0);
  tjDestroy(turbo);
  return pixels;
}

GrayImage gray_of(const std::vector<uint8_t>& jpeg) {
  GrayImage out;
  PictureDecoder().decode_gray(jpeg.data(), jpeg.size(), out);
  return out;
}

/** dB between the colours of a part and those of the whole there. */
double likeness(const std::vector<uint8_t>& whole, const std::vector<uint8_t>& cut, const Crop& part) {
  int width = 0, height = 0, cut_width = 0, cut_height = 0;
  const std::vector<uint8_t> from = rgb_of(whole, width, height), pixels = rgb_of(cut, cut_width, cut_height);
  expect(cut_width == part.width && cut_height == part.height, text("it has %dx%d pixels", cut_width, cut_height));
  double sum = 0;
  for (int y = 0; y < part.height; y++)
    for (int i = 0; i < 3 * part.width; i++) {
      const double off = static_cast<double>(pixels[static_cast<size_t>(y) * 3 * part.width + i]) -
                         from[static_cast<size_t>(y + part.y) * 3 * width + 3 * part.x + i];
      sum += off * off;
    }
  return 10 * std::log10(255.0 * 255 / std::max(1e-9, sum / (3.0 * part.width * part.height)));
}

}  // namespace

void test_jpeg_parts() {
  test("a part from the border of blocks on has the very pixels of the whole, at any size", [] {
    JpegCropper cropper;
    for (const int sampling : {TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_GRAY}) {
      const std::vector<uint8_t> whole = coloured_jpeg(sampling);
      for (const Crop& part :
           {Crop{16, 32, 160, 96}, Crop{48, 16, 101, 77}, Crop{0, 0, 33, 240}, Crop{160, 128, 160, 112}}) {
        GrayImage wanted = gray_of(whole);
        wanted.keep(part);
        const GrayImage got = gray_of(cropper.crop(whole, part));
        expect(got.width == part.width && got.height == part.height,
               text("it has %dx%d pixels", got.width, got.height));
        for (int y = 0; y < part.height; y++)
          for (int x = 0; x < part.width; x++)
            expect(got.data()[y * got.stride + x] == wanted.data()[static_cast<size_t>(y) * wanted.stride + x],
                   text("pixel %d, %d differs (sampling %d)", x, y, sampling));
      }
    }
    return std::string();
  });

  test("a part from anywhere is as good as another encoding, and has its colours", [] {
    JpegCropper cropper;
    double least = 1e9;
    for (const int sampling : {TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_GRAY}) {
      const std::vector<uint8_t> whole = coloured_jpeg(sampling);
      for (const Crop& part : {Crop{17, 32, 160, 96}, Crop{48, 3, 101, 77}, Crop{219, 163, 101, 77}}) {
        const double found = likeness(whole, cropper.crop(whole, part), part);
        least = std::min(least, found);
        expect(found > 33, text("%.1f dB at %d, %d (sampling %d)", found, part.x, part.y, sampling));
      }
    }
    return text("at least %.1f dB", least);
  });

  test("what does not lie in a picture, and what is no JPEG, is a fault; the next picture is cut as ever", [] {
    JpegCropper cropper;
    const std::vector<uint8_t> whole = coloured_jpeg(TJSAMP_420), none(2000, 7);
    const auto code_of = [&](const std::vector<uint8_t>& jpeg, const Crop& part) {
      return fault_of([&] { cropper.crop(jpeg, part); }).code;
    };
    expect(code_of(whole, {200, 0, 160, 96}) == "picture.unencodable", "a part outside was cut");
    expect(code_of(none, {0, 0, 16, 16}) == "picture.unencodable", "2000 bytes of nothing were cut");
    expect(code_of(std::vector<uint8_t>(whole.begin(), whole.begin() + 300), {0, 0, 32, 32}) == "picture.unencodable",
           "a head alone was cut");
    expect(!cropper.crop(whole, {16, 16, 64, 64}).empty(), "nothing is cut any more");
    return std::string();
  });

  test("of a damaged picture a part is a whole JPEG, or there is none", [] {
    JpegCropper cropper;
    std::mt19937 random(7);
    int cut = 0, refused = 0;
    for (const int sampling : {TJSAMP_420, TJSAMP_444, TJSAMP_GRAY}) {
      const std::vector<uint8_t> whole = coloured_jpeg(sampling);
      for (int n = 0; n < 1500; n++) {
        std::vector<uint8_t> damaged = whole;
        for (int k = 0; k < 1 + n % 6; k++)
          damaged[2 + random() % (damaged.size() - 2)] = static_cast<uint8_t>(random());
        const Crop part = n % 2 ? Crop{16, 16, 64, 48} : Crop{17, 3, 64, 48};
        std::vector<uint8_t> got;
        const Fault fault = fault_of([&] { got = cropper.crop(damaged, part); });
        (fault.code.empty() ? cut : refused)++;
        if (!fault.code.empty()) continue;
        int width = 0, height = 0;
        std::string format;
        expect(fault_of([&] { read_picture_size(got.data(), got.size(), width, height, format); }).code.empty(),
               text("%d bytes are no JPEG", static_cast<int>(got.size())));
        expect(width == 64 && height == 48 && got[got.size() - 2] == 0xff && got.back() == 0xd9,
               text("%d bytes of %dx%d pixels end in the midst", static_cast<int>(got.size()), width, height));
      }
    }
    expect(cut > 500 && refused > 50, text("%d were cut, %d refused", cut, refused));
    return text("%d cut, %d refused", cut, refused);
  });
}

}  // namespace vedette::test
