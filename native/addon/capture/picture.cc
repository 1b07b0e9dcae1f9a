// JPEG by libjpeg-turbo, PNG by libpng. A picture is either whole or a fault: half a picture would look like an empty
// field.
#include "picture.h"

#include <turbojpeg.h>

#include <algorithm>
#include <cstring>

namespace vedette {
namespace {

constexpr int MOST_SIDE = 65'500;  // libjpeg's own limit; keeps the product below from overflowing

[[noreturn]] void corrupt(const std::string& why) { throw Fault{"picture.corrupt", "the picture cannot be decoded: " + why}; }

bool is_jpeg(const uint8_t* bytes, size_t length) { return length >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff; }

bool is_png(const uint8_t* bytes, size_t length) { return length >= 8 && std::memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0; }

void check_size(int64_t width, int64_t height) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width < 1 || height < 1) corrupt("its header says " + size + " pixels");
  if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) corrupt("its header says " + size + " pixels, more than the 64 megapixels allowed");
}

/** What the header of a JPEG says. sampling, colours: as libjpeg-turbo numbers them. */
struct JpegHeader {
  int width = 0, height = 0, sampling = 0, colours = 0;
};

JpegHeader read_jpeg_header(tjhandle turbo, const uint8_t* bytes, size_t length) {
  JpegHeader header;
  if (tjDecompressHeader3(turbo, bytes, length, &header.width, &header.height, &header.sampling, &header.colours) != 0) corrupt(tjGetErrorStr2(turbo));
  check_size(header.width, header.height);
  return header;
}

/** Many a camera leaves some bytes between the pixels and the marker of the end. They are met when all pixels are there. */
bool is_behind_pixels(const std::string& warning) { return warning.find("extraneous bytes before marker 0xd9") != std::string::npos; }

// A warning means that libjpeg has invented pixels (or skipped bytes and lost its place), so it counts as an error.
constexpr int JPEG_FLAGS = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;

void check_decoded(tjhandle turbo, int rc) {
  if (rc == 0) return;
  const std::string why = tjGetErrorStr2(turbo);
  if (!is_behind_pixels(why)) corrupt(why);
}

void decode_jpeg(tjhandle turbo, const uint8_t* bytes, size_t length, GrayImage& out) {
  const JpegHeader header = read_jpeg_header(turbo, bytes, length);
  out.resize(header.width, header.height);
  check_decoded(turbo, tjDecompress2(turbo, bytes, length, out.pixels.data(), header.width, out.stride, header.height, TJPF_GRAY, JPEG_FLAGS));
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

/** The planes of a JPEG as they lie in it. The first may be a pixel wider and higher than the picture: there are as many samples as the colour needs. */
void decode_jpeg_planes(tjhandle turbo, const uint8_t* bytes, size_t length, const JpegHeader& header, GrayImage& out, Chroma& chroma) {
  const auto [width, height, sampling, colours] = header;
  const int wide = tjPlaneWidth(0, width, sampling), high = tjPlaneHeight(0, height, sampling);
  out.resize(wide, high);
  out.width = width;
  out.height = height;
  const int chroma_width = tjPlaneWidth(1, width, sampling), chroma_height = tjPlaneHeight(1, height, sampling);
  const auto shift = [](int pixels, int samples) { return pixels == samples ? 0 : pixels == 2 * samples ? 1 : 2; };
  chroma.resize(chroma_width, chroma_height, shift(wide, chroma_width), shift(high, chroma_height));
  unsigned char* planes[] = {out.pixels.data(), chroma.cb.data(), chroma.cr.data()};
  int strides[] = {out.stride, chroma.width, chroma.width};
  check_decoded(turbo, tjDecompressToYUVPlanes(turbo, bytes, length, planes, width, strides, height, JPEG_FLAGS));
}

void decode_jpeg_colour(tjhandle turbo, const uint8_t* bytes, size_t length, GrayImage& out, Chroma& chroma, std::vector<uint8_t>& rgb) {
  const JpegHeader header = read_jpeg_header(turbo, bytes, length);
  if (header.colours == TJCS_YCbCr && header.sampling != TJSAMP_GRAY) return decode_jpeg_planes(turbo, bytes, length, header, out, chroma);
  decode_jpeg(turbo, bytes, length, out);
  if (header.colours != TJCS_RGB) return;
  rgb.resize(static_cast<size_t>(header.width) * header.height * 3);
  check_decoded(turbo, tjDecompress2(turbo, bytes, length, rgb.data(), header.width, 0, header.height, TJPF_RGB, JPEG_FLAGS));
  take_chroma(rgb, header.width, header.height, chroma);
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
  if (png.channels == 1) return out.pixels.swap(png.samples);
  take_gray(png.samples, out.pixels.data());
  if (chroma) take_chroma(png.samples, png.width, png.height, *chroma);
}

/** Average over the source pixels of each target pixel; first down the columns, where the adding is vectorised, then along the row. */
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
        for (int channel = 0; channel < CHANNELS; channel++) sums[channel] += columns[static_cast<size_t>(left) * CHANNELS + channel];
      for (const uint32_t sum : sums) *to++ = static_cast<uint8_t>(sum / count);
    }
  }
}

}  // namespace

void read_picture_size(const uint8_t* bytes, size_t length, int& width, int& height, std::string& format) {
  if (is_jpeg(bytes, length)) {
    const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitDecompress(), tjDestroy);
    const JpegHeader header = read_jpeg_header(turbo.get(), bytes, length);
    width = header.width;
    height = header.height;
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

PictureDecoder::PictureDecoder() : turbo_(tjInitDecompress()) {}

PictureDecoder::~PictureDecoder() { tjDestroy(turbo_); }

void PictureDecoder::decode_gray(const uint8_t* bytes, size_t length, GrayImage& out) { decode(bytes, length, out, nullptr); }

void PictureDecoder::decode_colour(const uint8_t* bytes, size_t length, GrayImage& out, Chroma& chroma) {
  chroma.clear();
  decode(bytes, length, out, &chroma);
}

void PictureDecoder::decode(const uint8_t* bytes, size_t length, GrayImage& out, Chroma* chroma) {
  if (is_jpeg(bytes, length)) {
    try {
      return chroma ? decode_jpeg_colour(turbo_, bytes, length, out, *chroma, rgb_) : decode_jpeg(turbo_, bytes, length, out);
    } catch (const Fault&) {
      // libjpeg-turbo 2.1 does not reset itself after a bad header: the next picture, however good, would fail as well.
      tjDestroy(turbo_);
      turbo_ = tjInitDecompress();
      throw;
    }
  }
  if (is_png(bytes, length)) return decode_png(bytes, length, out, chroma, png_);
  corrupt("it is neither a JPEG nor a PNG");
}

PictureEncoder::PictureEncoder() : turbo_(tjInitCompress()) {}

PictureEncoder::~PictureEncoder() { tjDestroy(turbo_); }

std::vector<uint8_t> PictureEncoder::encode(const Pixels& image, int quality, int max_width, int& out_width, int& out_height) {
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
  const int rc = tjCompress2(turbo_, from.data, from.width, from.stride, from.height, is_gray ? TJPF_GRAY : TJPF_BGR, &jpeg, &size, is_gray ? TJSAMP_GRAY : TJSAMP_420,
                             std::clamp(quality, 1, 100), 0);
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
