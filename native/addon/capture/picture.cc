// JPEG by libjpeg-turbo, PNG by libpng's simplified interface. A picture is either whole or a fault: half a picture would look like an empty field.
#include "picture.h"

#include <png.h>
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

void read_jpeg_header(tjhandle turbo, const uint8_t* bytes, size_t length, int& width, int& height) {
  int sampling = 0, colours = 0;
  if (tjDecompressHeader3(turbo, bytes, length, &width, &height, &sampling, &colours) != 0) corrupt(tjGetErrorStr2(turbo));
  check_size(width, height);
}

/** Many a camera leaves some bytes between the pixels and the marker of the end. They are met when all pixels are there. */
bool is_behind_pixels(const std::string& warning) { return warning.find("extraneous bytes before marker 0xd9") != std::string::npos; }

void decode_jpeg(tjhandle turbo, const uint8_t* bytes, size_t length, GrayImage& out) {
  int width = 0, height = 0;
  read_jpeg_header(turbo, bytes, length, width, height);
  out.resize(width, height);
  // A warning means that libjpeg has invented pixels (or skipped bytes and lost its place), so it counts as an error.
  const int flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS;
  if (tjDecompress2(turbo, bytes, length, out.pixels.data(), width, out.stride, height, TJPF_GRAY, flags) == 0) return;
  const std::string why = tjGetErrorStr2(turbo);
  if (!is_behind_pixels(why)) corrupt(why);
}

/** libpng's reading state, freed on every path. */
struct PngReader {
  png_image image;

  PngReader(const uint8_t* bytes, size_t length) {
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, length)) corrupt(image.message);
  }
  ~PngReader() { png_image_free(&image); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
};

void decode_png(const uint8_t* bytes, size_t length, GrayImage& out) {
  PngReader reader(bytes, length);
  check_size(reader.image.width, reader.image.height);
  reader.image.format = PNG_FORMAT_GRAY;
  out.resize(static_cast<int>(reader.image.width), static_cast<int>(reader.image.height));
  const png_color paper{255, 255, 255};  // behind transparent pixels, as in a viewer
  if (!png_image_finish_read(&reader.image, &paper, out.pixels.data(), out.stride, nullptr)) corrupt(reader.image.message);
}

/** Average over the source pixels of each target pixel; first down the columns, where the adding is vectorised, then along the row. */
void shrink(const GrayImage& image, int width, int height, GrayImage& out) {
  out.resize(width, height);
  std::vector<uint32_t> columns(image.width);
  const auto edge = [](int64_t index, int from, int to) { return static_cast<int>(index * from / to); };
  for (int y = 0; y < height; y++) {
    const int top = edge(y, image.height, height), bottom = edge(y + 1, image.height, height);
    std::fill(columns.begin(), columns.end(), 0);
    for (int row = top; row < bottom; row++) {
      const uint8_t* from = image.data() + static_cast<size_t>(row) * image.stride;
      for (int x = 0; x < image.width; x++) columns[x] += from[x];
    }
    uint8_t* to = out.pixels.data() + static_cast<size_t>(y) * out.stride;
    for (int x = 0, left = 0; x < width; x++) {
      const int right = edge(x + 1, image.width, width);
      const uint32_t count = static_cast<uint32_t>((right - left) * (bottom - top));
      uint32_t sum = count / 2;
      for (; left < right; left++) sum += columns[left];
      to[x] = static_cast<uint8_t>(sum / count);
    }
  }
}

}  // namespace

void read_picture_size(const uint8_t* bytes, size_t length, int& width, int& height, std::string& format) {
  if (is_jpeg(bytes, length)) {
    const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitDecompress(), tjDestroy);
    read_jpeg_header(turbo.get(), bytes, length, width, height);
    format = "jpeg";
  } else if (is_png(bytes, length)) {
    const PngReader reader(bytes, length);
    check_size(reader.image.width, reader.image.height);
    width = static_cast<int>(reader.image.width);
    height = static_cast<int>(reader.image.height);
    format = "png";
  } else {
    corrupt("it is neither a JPEG nor a PNG");
  }
}

PictureDecoder::PictureDecoder() : turbo_(tjInitDecompress()) {}

PictureDecoder::~PictureDecoder() { tjDestroy(turbo_); }

void PictureDecoder::decode_gray(const uint8_t* bytes, size_t length, GrayImage& out) {
  if (is_jpeg(bytes, length)) {
    try {
      return decode_jpeg(turbo_, bytes, length, out);
    } catch (const Fault&) {
      // libjpeg-turbo 2.1 does not reset itself after a bad header: the next picture, however good, would fail as well.
      tjDestroy(turbo_);
      turbo_ = tjInitDecompress();
      throw;
    }
  }
  if (is_png(bytes, length)) return decode_png(bytes, length, out);
  corrupt("it is neither a JPEG nor a PNG");
}

PictureEncoder::PictureEncoder() : turbo_(tjInitCompress()) {}

PictureEncoder::~PictureEncoder() { tjDestroy(turbo_); }

std::vector<uint8_t> PictureEncoder::encode_gray(const GrayImage& image, int quality, int max_width, int& out_width, int& out_height) {
  const GrayImage* from = &image;
  if (max_width > 0 && max_width < image.width) {
    const int64_t rounded_height = (static_cast<int64_t>(image.height) * max_width + image.width / 2) / image.width;
    shrink(image, max_width, std::clamp(static_cast<int>(rounded_height), 1, image.height), shrunk_);
    from = &shrunk_;
  }
  unsigned char* jpeg = nullptr;
  unsigned long size = 0;
  const int rc = tjCompress2(turbo_, from->data(), from->width, from->stride, from->height, TJPF_GRAY, &jpeg, &size, TJSAMP_GRAY, std::clamp(quality, 1, 100), 0);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(jpeg, tjFree);
  if (rc != 0) {
    const std::string size = std::to_string(from->width) + "x" + std::to_string(from->height);
    throw Fault{"picture.unencodable", "a picture of " + size + " pixels cannot be encoded: " + tjGetErrorStr2(turbo_)};
  }
  out_width = from->width;
  out_height = from->height;
  return std::vector<uint8_t>(jpeg, jpeg + size);
}

}  // namespace vedette
