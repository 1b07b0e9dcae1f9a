// Whole pictures: what goes in comes out, and what is broken is refused.
#include <png.h>

#include <cmath>
#include <cstring>

#include "check.h"
#include "picture.h"
#include "scene.h"
#include "suites.h"
#include "synthetic_camera.h"

namespace vedette::test {
namespace {

GrayImage field_picture(int width, int height) {
  SyntheticOptions options = small_field_options();
  options.width = width;
  options.height = height;
  Frame frame;
  SyntheticCamera(options).render(100, frame);
  return frame.gray;
}

std::vector<uint8_t> encode_jpeg(const GrayImage& image, int quality = 90) {
  PictureEncoder encoder;
  int width = 0, height = 0;
  return encoder.encode_gray(image, quality, 0, width, height);
}

std::vector<uint8_t> encode_png(const GrayImage& image) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width;
  png.height = image.height;
  png.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<uint8_t> bytes(size);
  expect(png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), image.stride, nullptr) != 0,
         png.message);
  bytes.resize(size);
  return bytes;
}

double psnr(const GrayImage& a, const GrayImage& b) {
  expect(a.width == b.width && a.height == b.height, "the sizes differ");
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); i++) sum += std::pow(static_cast<double>(a.pixels[i]) - b.pixels[i], 2);
  return 10 * std::log10(255.0 * 255 / std::max(1e-9, sum / a.pixels.size()));
}

/** A cut picture is refused, unless all of its pixels were there already. */
std::string cut_everywhere(const std::vector<uint8_t>& whole, const GrayImage& pixels, size_t step) {
  PictureDecoder decoder;
  GrayImage out;
  int refused = 0, complete = 0;
  for (size_t length = 0; length < whole.size(); length += length < 400 || length + 40 > whole.size() ? 1 : step) {
    // its own block, so that reading past it is seen
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(length));
    out.pixels.assign(pixels.pixels.size(), static_cast<uint8_t>(~pixels.pixels[length % pixels.pixels.size()]));
    const Fault fault = fault_of([&] { decoder.decode_gray(cut.data(), cut.size(), out); });
    if (fault.code.empty()) {
      expect(out.pixels == pixels.pixels,
             text("%zu of %zu bytes gave another picture instead of a fault", length, whole.size()));
      complete++;
    } else {
      expect(fault.code == "picture.corrupt" && fault.detail.size() > 20,
             "the fault is " + fault.code + ": " + fault.detail);
      refused++;
    }
  }
  return text("%d lengths refused, %d complete without their last bytes", refused, complete);
}

std::string damage_everywhere(const std::vector<uint8_t>& whole, uint32_t rounds) {
  PictureDecoder decoder;
  GrayImage out;
  uint32_t random = 1, refused = 0;
  const auto next = [&random] { return random = random * 1664525u + 1013904223u, random >> 8; };
  for (uint32_t round = 0; round < rounds; round++) {
    std::vector<uint8_t> bytes = whole;
    // Mostly near the front, where the headers are.
    for (uint32_t hit = 0; hit <= round % 5; hit++)
      bytes[next() % (round % 2 == 0 ? std::min<size_t>(bytes.size(), 300) : bytes.size())] =
          static_cast<uint8_t>(next());
    const Fault fault = fault_of([&] { decoder.decode_gray(bytes.data(), bytes.size(), out); });
    expect(fault.code.empty() || fault.code == "picture.corrupt", "the fault is " + fault.code);
    refused += !fault.code.empty();
  }
  return text("%u of %u refused", refused, rounds);
}

}  // namespace

void test_pictures() {
  const GrayImage image = field_picture(640, 400), small = field_picture(160, 100);
  PictureDecoder decoder;

  test("a JPEG that we encode comes back nearly as it was", [&] {
    GrayImage out;
    const std::vector<uint8_t> jpeg = encode_jpeg(image);
    decoder.decode_gray(jpeg.data(), jpeg.size(), out);
    const double ratio = psnr(image, out);
    expect(ratio > 38, text("PSNR %.1f dB", ratio));
    return text("PSNR %.1f dB, %zu bytes", ratio, jpeg.size());
  });

  test("a PNG comes back exactly as it was", [&] {
    GrayImage out;
    const std::vector<uint8_t> png = encode_png(image);
    decoder.decode_gray(png.data(), png.size(), out);
    expect(out.pixels == image.pixels, "pixels differ");
    return std::string();
  });

  test("the header alone tells format and size", [&] {
    int width = 0, height = 0;
    std::string format;
    for (const std::vector<uint8_t>& bytes : {encode_jpeg(image), encode_png(image)}) {
      read_picture_size(bytes.data(), bytes.size(), width, height, format);
      expect(width == 640 && height == 400 && format == (bytes[0] == 0xff ? "jpeg" : "png"),
             text("%dx%d %s", width, height, format.c_str()));
    }
    return std::string();
  });

  test("a shrunk JPEG keeps its shape and its mean level", [&] {
    PictureEncoder encoder;
    int width = 0, height = 0;
    const std::vector<uint8_t> jpeg = encoder.encode_gray(image, 95, 250, width, height);
    GrayImage out;
    decoder.decode_gray(jpeg.data(), jpeg.size(), out);
    const auto mean = [](const GrayImage& of) {
      double sum = 0;
      for (const uint8_t pixel : of.pixels) sum += pixel;
      return sum / of.pixels.size();
    };
    expect(width == 250 && height == 156 && out.width == 250 && out.height == 156, text("%dx%d", width, height));
    expect(std::fabs(mean(out) - mean(image)) < 0.5, text("mean level %.2f became %.2f", mean(image), mean(out)));
    return std::string();
  });

  test("a picture cut short at any byte is refused", [&] {
    const std::vector<uint8_t> jpeg = encode_jpeg(small), png = encode_png(small);
    GrayImage decoded;
    decoder.decode_gray(jpeg.data(), jpeg.size(), decoded);
    return "JPEG " + cut_everywhere(jpeg, decoded, 7) + "; PNG " + cut_everywhere(png, small, 7);
  });

  test("damaged pictures and random bytes never crash the decoder", [&] {
    std::vector<uint8_t> noise(4096);
    for (size_t i = 0; i < noise.size(); i++) noise[i] = static_cast<uint8_t>((i * 2654435761u) >> 13);
    const std::vector<uint8_t> as_jpeg = [&] {
      auto bytes = noise;
      return bytes[0] = 0xff, bytes[1] = 0xd8, bytes[2] = 0xff, bytes;
    }();
    GrayImage out;
    for (const std::vector<uint8_t>& bytes : {noise, as_jpeg})
      expect(fault_of([&] { decoder.decode_gray(bytes.data(), bytes.size(), out); }).code == "picture.corrupt",
             "random bytes were decoded");
    return "JPEG " + damage_everywhere(encode_jpeg(small), 3000) + ", PNG " +
           damage_everywhere(encode_png(small), 3000);
  });

  test("a decoder that refused a picture decodes the next one", [&] {
    const std::vector<uint8_t> good = encode_jpeg(small);
    GrayImage out;
    for (size_t length = 3; length < 700; length += 9) {
      const Fault fault = fault_of([&] { decoder.decode_gray(good.data(), length, out); });
      expect(fault.code == "picture.corrupt", "the cut picture was decoded");
      decoder.decode_gray(good.data(), good.size(), out);
    }
    return std::string();
  });

  test("a header that declares a huge picture is refused before memory is asked for", [&] {
    std::vector<uint8_t> jpeg = encode_jpeg(small);
    size_t frame_header = 2;
    while (jpeg[frame_header + 1] != 0xc0) frame_header += 2 + jpeg[frame_header + 2] * 256u + jpeg[frame_header + 3];
    for (const size_t at : {5, 7}) jpeg[frame_header + at] = 0xf0;  // height and width become more than 61,440
    GrayImage out;
    const Fault fault = fault_of([&] { decoder.decode_gray(jpeg.data(), jpeg.size(), out); });
    expect(fault.code == "picture.corrupt" && fault.detail.find("megapixels") != std::string::npos, fault.detail);
    return fault.detail;
  });
}

}  // namespace vedette::test
