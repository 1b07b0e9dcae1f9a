// JPEG by JpegReader, PNG by libpng. A picture is either whole or a fault: half a picture would look like an empty
// field.
#include "picture.h"

#include <turbojpeg.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "jpeg_reader.h"

namespace vedette {
namespace {

constexpr int MAX_SIDE = 65'500;  // libjpeg's own limit; keeps the product below from overflowing

[[noreturn]] void corrupt(const std::string& why) {
  throw Fault{"picture.corrupt", "the picture cannot be decoded: " + why};
}

bool is_jpeg(const uint8_t* bytes, size_t length) { return length >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8; }

bool is_png(const uint8_t* bytes, size_t length) {
  return length >= 8 && std::memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

void check_size(int64_t width, int64_t height) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width < 1 || height < 1) corrupt("its header says " + size + " pixels");
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    corrupt("its header says " + size + " pixels, more than the 64 megapixels allowed");
}

template <typename Work>
void read_jpeg(Work work) {
  try {
    work();
  } catch (const BadJpeg& bad) {
    corrupt(bad.what());
  }
}

void decode_gray_of(JpegReader& reader, GrayImage& out) {
  check_size(reader.width(), reader.height());
  out.resize(reader.width(), reader.height());
  reader.read_gray(out.pixels.data(), static_cast<size_t>(out.stride));
}

void decode_jpeg(const uint8_t* bytes, size_t length, GrayImage& out) {
  JpegReader reader(bytes, length);
  decode_gray_of(reader, out);
}

/** The colour of pixels of red, green and blue. */
void take_chroma(const std::vector<uint8_t>& rgb, int width, int height, Chroma& chroma) {
  chroma.resize(width, height, 0, 0);
  const auto level = [](double value) { return static_cast<uint8_t>(std::clamp(value + 128.5, 0.0, 255.0)); };
  for (size_t i = 0; i < chroma.cb.size(); i++) {
    const uint8_t* p = &rgb[3 * i];
    chroma.cb[i] = level(-0.168736 * p[0] - 0.331264 * p[1] + 0.5 * p[2]);
    chroma.cr[i] = level(0.5 * p[0] - 0.418688 * p[1] - 0.081312 * p[2]);
  }
}

/** The first plane may be a pixel wider and higher than the picture: there are as many samples as the colour needs. */
void decode_planes(JpegReader& reader, const JpegPlanes& planes, GrayImage& out, Chroma& chroma) {
  out.resize(planes.width, planes.height);
  out.width = reader.width();
  out.height = reader.height();
  chroma.resize(planes.chroma_width, planes.chroma_height, planes.shift_x, planes.shift_y);
  reader.read_planes(planes, out.pixels.data(), chroma.cb.data(), chroma.cr.data());
}

void decode_jpeg_colour(const uint8_t* bytes, size_t length, GrayImage& out, Chroma& chroma,
                        std::vector<uint8_t>& rgb) {
  JpegReader reader(bytes, length);
  const int width = reader.width(), height = reader.height();
  check_size(width, height);
  if (reader.is_gray()) return decode_gray_of(reader, out);
  JpegPlanes planes;
  if (!reader.is_rgb() && reader.has_planes(planes)) return decode_planes(reader, planes, out, chroma);
  decode_jpeg(bytes, length, out);
  rgb.resize(static_cast<size_t>(width) * height * 3);
  reader.read_rgb(rgb.data(), static_cast<size_t>(width) * 3);
  take_chroma(rgb, width, height, chroma);
}

constexpr int PAPER = 255;  // behind transparent pixels, as in a viewer

/** The pixels of a PNG as a viewer has them: 8 bits, and paper behind what is transparent. */
void read_png_pixels(const uint8_t* bytes, size_t length, PngPixels& png) {
  try {
    int64_t width = 0, height = 0;
    read_png_size(bytes, length, width, height);
    check_size(width, height);
    read_png(bytes, length, PngDepth::eight, png);
  } catch (const BadPng& bad) {
    corrupt(bad.what());
  }
  if (png.channels % 2 == 1) return;
  const int colours = png.channels - 1;
  uint8_t* to = png.samples.data();
  for (const uint8_t *from = to, *end = to + png.samples.size(); from != end; from += png.channels) {
    const int alpha = from[colours];
    for (int c = 0; c < colours; c++)
      *to++ = static_cast<uint8_t>((from[c] * alpha + PAPER * (255 - alpha) + 127) / 255);
  }
  png.channels = colours;
  png.samples.resize(static_cast<size_t>(to - png.samples.data()));
}

/** The brightness of colours as JPEGs have it, to the bit (BT.601). */
void take_gray(const std::vector<uint8_t>& rgb, uint8_t* to) {
  for (size_t i = 0; i < rgb.size(); i += 3)
    *to++ = static_cast<uint8_t>((19595 * rgb[i] + 38470 * rgb[i + 1] + 7471 * rgb[i + 2] + 32768) >> 16);
}

/** chroma: nullptr, or what the colour goes to, if there is some. */
void decode_png(const uint8_t* bytes, size_t length, GrayImage& out, Chroma* chroma, PngPixels& png) {
  read_png_pixels(bytes, length, png);
  out.resize(png.width, png.height);
  if (png.channels == 1) return out.pixels.assign(png.samples.begin(), png.samples.end());
  take_gray(png.samples, out.pixels.data());
  if (chroma) take_chroma(png.samples, png.width, png.height, *chroma);
}

/**
 * Average over the source pixels of each target pixel; first down the columns, where the adding is vectorised, then
 * along the row.
 */
template <int CHANNELS>
void shrink(const Pixels& image, int width, int height, std::vector<uint8_t>& out) {
  out.resize(static_cast<size_t>(width) * height * CHANNELS);
  std::vector<uint32_t> columns(static_cast<size_t>(image.width) * CHANNELS);
  const auto edge = [](int64_t index, int from, int to) { return static_cast<int>(index * from / to); };
  uint8_t* to = out.data();
  for (int y = 0; y < height; y++) {
    const int top = edge(y, image.height, height), bottom = edge(y + 1, image.height, height);
    std::fill(columns.begin(), columns.end(), 0);
    for (int row = top; row < bottom; row++) {
      const uint8_t* from = image.data + static_cast<size_t>(row) * image.stride;
      for (size_t x = 0; x < columns.size(); x++) columns[x] += from[x];
    }
    for (int x = 0, left = 0; x < width; x++) {
      const int right = edge(x + 1, image.width, width);
      const uint32_t count = static_cast<uint32_t>((right - left) * (bottom - top));
      uint32_t sums[CHANNELS];
      std::fill(sums, sums + CHANNELS, count / 2);
      for (; left < right; left++)
        for (int channel = 0; channel < CHANNELS; channel++)
          sums[channel] += columns[static_cast<size_t>(left) * CHANNELS + channel];
      for (const uint32_t sum : sums) *to++ = static_cast<uint8_t>(sum / count);
    }
  }
}

}  // namespace

void read_picture_size(const uint8_t* bytes, size_t length, int& width, int& height, std::string& format) {
  if (is_jpeg(bytes, length)) {
    read_jpeg([&] {
      const JpegReader reader(bytes, length);
      check_size(reader.width(), reader.height());
      width = reader.width();
      height = reader.height();
    });
    format = "jpeg";
  } else if (is_png(bytes, length)) {
    int64_t wide = 0, high = 0;
    try {
      read_png_size(bytes, length, wide, high);
    } catch (const BadPng& bad) {
      corrupt(bad.what());
    }
    check_size(wide, high);
    width = static_cast<int>(wide);
    height = static_cast<int>(high);
    format = "png";
  } else {
    corrupt("it is neither a JPEG nor a PNG");
  }
}

void PictureDecoder::decode_gray(const uint8_t* bytes, size_t length, GrayImage& out) {
  decode(bytes, length, out, nullptr);
}

void PictureDecoder::decode_colour(const uint8_t* bytes, size_t length, GrayImage& out, Chroma& chroma) {
  chroma.clear();
  decode(bytes, length, out, &chroma);
}

void PictureDecoder::decode(const uint8_t* bytes, size_t length, GrayImage& out, Chroma* chroma) {
  if (is_jpeg(bytes, length)) {
    return read_jpeg([&] {
      if (chroma) decode_jpeg_colour(bytes, length, out, *chroma, rgb_);
      else decode_jpeg(bytes, length, out);
    });
  }
  if (is_png(bytes, length)) return decode_png(bytes, length, out, chroma, png_);
  corrupt("it is neither a JPEG nor a PNG");
}

PictureEncoder::PictureEncoder() : turbo_(tjInitCompress()) {}

PictureEncoder::~PictureEncoder() { tjDestroy(turbo_); }

std::vector<uint8_t> PictureEncoder::encode(const Pixels& image, int quality, int max_width, int& out_width,
                                            int& out_height) {
  Pixels from = image;
  const bool is_gray = image.channels == 1;
  if (max_width > 0 && max_width < image.width) {
    const int64_t rounded_height = (static_cast<int64_t>(image.height) * max_width + image.width / 2) / image.width;
    const int height = std::clamp(static_cast<int>(rounded_height), 1, image.height);
    is_gray ? shrink<1>(image, max_width, height, shrunk_) : shrink<3>(image, max_width, height, shrunk_);
    from = {shrunk_.data(), max_width, height, max_width * image.channels, image.channels};
  }
  unsigned char* jpeg = nullptr;
  unsigned long size = 0;
  const int rc = tjCompress2(turbo_, from.data, from.width, from.stride, from.height, is_gray ? TJPF_GRAY : TJPF_BGR,
                             &jpeg, &size, is_gray ? TJSAMP_GRAY : TJSAMP_420, std::clamp(quality, 1, 100), 0);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(jpeg, tjFree);
  if (rc != 0) {
    const std::string size = std::to_string(from.width) + "x" + std::to_string(from.height);
    throw Fault{"picture.unencodable", "a picture of " + size + " pixels cannot be encoded: " + tjGetErrorStr2(turbo_)};
  }
  out_width = from.width;
  out_height = from.height;
  return std::vector<uint8_t>(jpeg, jpeg + size);
}

}  // namespace vedette
