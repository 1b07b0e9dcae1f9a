// By libpng's plain interface: the simplified one takes 16 bits for linear light, and reckons with the gamma that a
// file names. Errors leave it by a jump, so that nothing with a destructor is made between a step's beginning and its
// end.
#include "png_file.h"

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <string>

namespace vedette {
namespace {

struct Reading {
  const uint8_t* bytes;
  size_t left;
};

struct Failure {
  char why[160] = "unknown";
};

[[noreturn]] void on_error(png_structp png, png_const_charp why) {
  auto& failure = *static_cast<Failure*>(png_get_error_ptr(png));
  std::strncpy(failure.why, why, sizeof failure.why - 1);
  png_longjmp(png, 1);
}

/** What libpng murmurs of and goes on with costs no sample. */
void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, size_t count) {
  auto& reading = *static_cast<Reading*>(png_get_io_ptr(png));
  if (count > reading.left) png_error(png, "it ends in the middle");
  std::memcpy(to, reading.bytes, count);
  reading.bytes += count;
  reading.left -= count;
}

/**
 * Only grows the vector, which frees nothing that the jump would lose; that there is no memory is thrown where no C
 * stands between.
 */
void on_write(png_structp png, png_bytep from, size_t count) {
  auto& out = *static_cast<std::vector<uint8_t>*>(png_get_io_ptr(png));
  try {
    out.insert(out.end(), from, from + count);
  } catch (const std::bad_alloc&) {
    count = 0;
  }
  if (count == 0) png_error(png, "there is no memory for it");
}

void on_flush(png_structp) {}

bool is_big_endian() {
  const uint16_t one = 1;
  return *reinterpret_cast<const uint8_t*>(&one) == 0;
}

/** libpng's state for reading, freed on every path. */
class Reader {
 public:
  Reader(const uint8_t* bytes, size_t length) : reading_{bytes, length} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, on_warning);
    if (png_) info_ = png_create_info_struct(png_);
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &reading_, on_read);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // all but what pixels are made of
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /** body: makes nothing that has a destructor. */
  template <typename Body>
  void step(Body body) {
    if (setjmp(png_jmpbuf(png_)) != 0) throw BadPng(failure_.why);
    body(png_, info_);
  }

 private:
  Reading reading_;
  Failure failure_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

class Writer {
 public:
  explicit Writer(std::vector<uint8_t>& out) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, on_warning);
    if (png_) info_ = png_create_info_struct(png_);
    if (!info_) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, &out, on_write, on_flush);
  }
  ~Writer() { png_destroy_write_struct(&png_, &info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /** As of the Reader. */
  template <typename Body>
  void step(Body body) {
    if (setjmp(png_jmpbuf(png_)) != 0) throw BadPng(failure_.why);
    body(png_, info_);
  }

 private:
  Failure failure_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

std::vector<png_bytep> rows_of(uint8_t* samples, int height, size_t row_bytes) {
  std::vector<png_bytep> rows(static_cast<size_t>(height));
  for (size_t y = 0; y < rows.size(); y++) rows[y] = samples + y * row_bytes;
  return rows;
}

}  // namespace

void read_png_size(const uint8_t* bytes, size_t length, int64_t& width, int64_t& height) {
  Reader reader(bytes, length);
  reader.step([&](png_structp png, png_infop info) {
    png_read_info(png, info);
    width = png_get_image_width(png, info);
    height = png_get_image_height(png, info);
  });
}

void read_png(const uint8_t* bytes, size_t length, PngDepth depth, PngPixels& out) {
  Reader reader(bytes, length);
  size_t row_bytes = 0;
  reader.step([&](png_structp png, png_infop info) {
    png_read_info(png, info);
    png_set_expand(png);
    if (depth == PngDepth::eight) png_set_scale_16(png);
    if (!is_big_endian()) png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    out.width = static_cast<int>(png_get_image_width(png, info));
    out.height = static_cast<int>(png_get_image_height(png, info));
    out.channels = png_get_channels(png, info);
    out.sample_bytes = png_get_bit_depth(png, info) / 8;
    row_bytes = png_get_rowbytes(png, info);
  });
  out.samples.resize(row_bytes * static_cast<size_t>(out.height));
  std::vector<png_bytep> rows = rows_of(out.samples.data(), out.height, row_bytes);
  reader.step([&](png_structp png, png_infop) {
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
  });
}

std::vector<uint8_t> write_png(const PngPixels& pixels) {
  const int kinds[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  const size_t row_bytes = static_cast<size_t>(pixels.width) * pixels.channels * pixels.sample_bytes;
  std::vector<png_bytep> rows = rows_of(const_cast<uint8_t*>(pixels.samples.data()), pixels.height, row_bytes);
  std::vector<uint8_t> out;
  Writer writer(out);
  writer.step([&](png_structp png, png_infop info) {
    png_set_IHDR(png, info, static_cast<png_uint_32>(pixels.width), static_cast<png_uint_32>(pixels.height),
                 8 * pixels.sample_bytes, kinds[pixels.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (!is_big_endian()) png_set_swap(png);
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
  });
  return out;
}

}  // namespace vedette
