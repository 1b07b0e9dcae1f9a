// PNGs and their samples, as they were written: what a file says of gamma and profiles changes no number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace vedette {

/**
 * Rows from the top without gaps: gray, gray and alpha, RGB, or RGB and alpha; of two bytes each (in the order of
 * this machine) or of one.
 */
struct PngPixels {
  int width = 0, height = 0, channels = 1, sample_bytes = 1;
  std::vector<uint8_t> samples;
};

/** What cannot be read, in words that go on after "it cannot be decoded: ". */
struct BadPng : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** How deep samples are given: all in 8 bits, those of 16 rounded; or those of 16 as they are. */
enum class PngDepth { eight, as_written };

/** The size that its header says. Throws BadPng. */
void read_png_size(const uint8_t* bytes, size_t length, int64_t& width, int64_t& height);

/**
 * All of it; palettes and gray of less than 8 bits are spread out. Fills `out`, reusing its memory. The caller has
 * looked at the size. Throws BadPng.
 */
void read_png(const uint8_t* bytes, size_t length, PngDepth depth, PngPixels& out);

/** As a file. Throws BadPng. */
std::vector<uint8_t> write_png(const PngPixels& pixels);

}  // namespace vedette
