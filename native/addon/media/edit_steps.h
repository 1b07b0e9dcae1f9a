// Changes of a picture, each over all its pixels.
#pragma once

#include <cstdint>
#include <vector>

namespace vedette::media {

struct Size {
  int width = 0;
  int height = 0;
};

/**
 * Rows from the top without gaps: gray, gray and alpha, RGB, or RGB and alpha, of one or two bytes each. The rest
 * says what file it came from. colour_notes: chunks of a PNG.
 */
struct Picture {
  int width = 0;
  int height = 0;
  int channels = 1;
  int sample_bytes = 1;
  std::vector<uint8_t> pixels;
  bool is_jpeg = false;
  int sampling = 0;
  std::vector<uint8_t> colour_notes;
};

enum class EditKind { rotate, flip, crop, resize, brightness };

/**
 * rotate: a = degrees clockwise. flip: a = 0 left and right, 1 top and bottom. crop: a, b = place, c, d = size. resize:
 * a, b = size. brightness: a = percent.
 */
struct Edit {
  EditKind kind;
  int a = 0, b = 0, c = 0, d = 0;
};

/** Reads edits as they stand on the command line; throws std::invalid_argument. */
std::vector<Edit> parse_edits(char** begin, char** end);

/** Carries one out. Throws std::invalid_argument for one that the picture has no room for. */
void apply(const Edit& edit, Picture& picture);

}  // namespace vedette::media
