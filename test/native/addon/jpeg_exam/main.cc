// The exam of all that decodes JPEGs: pictures that are damaged on purpose, with djpeg as the judge. Each is decoded to
// the same pixels as by djpeg, or refused, by all decoders alike, whatever was in their buffers before: never a third
// thing.
//
//   jpeg_exam RUNS SEED WHERE   damages so many pictures, the same for a seed; the first with a third outcome is
//   written to WHERE jpeg_exam FILE...           looks at such files
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "damage.h"
#include "jpeg_crop.h"
#include "jpeg_part.h"
#include "jpeg_reader.h"
#include "judge.h"
#include "picture.h"
#include "picture_codec.h"

namespace vedette::test {
namespace {

constexpr uint8_t POISONS[] = {0x55, 0xc3};
constexpr size_t BUFFER = 1 << 19;
const Crop PART{32, 32, 48, 32};  // on the border of the blocks of most pictures; of others it is decoded

/** What a decoder makes of a picture: pixels, or why not. */
struct Outcome {
  Pixels pixels;
  std::string why;
  bool operator==(const Outcome& other) const { return why == other.why && pixels == other.pixels; }
};

[[noreturn]] void third(const std::string& what) { throw std::runtime_error(what); }

Pixels gray_pixels(const GrayImage& image) {
  Pixels out{image.width, image.height, 1, {}};
  for (int y = 0; y < image.height; y++) {
    const uint8_t* const row = image.data() + static_cast<size_t>(y) * image.stride;
    out.bytes.insert(out.bytes.end(), row, row + image.width);
  }
  return out;
}

/** As libjpeg makes colours of brightness and Cb, Cr when it does not smooth them. */
Pixels rgb_pixels(const GrayImage& image, const Chroma& chroma) {
  constexpr int HALF = 1 << 15;
  const auto fixed = [](double factor) { return static_cast<int>(factor * 65536 + 0.5); };
  const auto level = [](int value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); };
  Pixels out{image.width, image.height, 3, {}};
  for (int y = 0; y < image.height; y++)
    for (int x = 0; x < image.width; x++) {
      const size_t at = static_cast<size_t>(y >> chroma.shift_y) * chroma.width + (x >> chroma.shift_x);
      const int luma = image.data()[static_cast<size_t>(y) * image.stride + x];
      const int cb = chroma.cb[at] - 128, cr = chroma.cr[at] - 128;
      out.bytes.push_back(level(luma + ((fixed(1.402) * cr + HALF) >> 16)));
      out.bytes.push_back(level(luma + ((-fixed(0.34414) * cb - fixed(0.71414) * cr + HALF) >> 16)));
      out.bytes.push_back(level(luma + ((fixed(1.772) * cb + HALF) >> 16)));
    }
  return out;
}

Outcome in_gray(const Bytes& jpeg, uint8_t poison) {
  GrayImage gray;
  gray.pixels.assign(BUFFER, poison);
  try {
    PictureDecoder().decode_gray(jpeg.data(), jpeg.size(), gray);
  } catch (const Fault& fault) {
    return {{}, fault.detail};
  }
  return {gray_pixels(gray), ""};
}

/** Grey, and the colours where they lie in planes. */
struct Coloured {
  Outcome gray;
  Pixels rgb;
  Bytes cb;
  bool operator==(const Coloured& other) const { return gray == other.gray && rgb == other.rgb && cb == other.cb; }
};

Coloured in_colour(const Bytes& jpeg, uint8_t poison) {
  GrayImage gray;
  Chroma chroma;
  gray.pixels.assign(BUFFER, poison);
  chroma.cb.assign(BUFFER, poison);
  chroma.cr.assign(BUFFER, poison);
  try {
    PictureDecoder().decode_colour(jpeg.data(), jpeg.size(), gray, chroma);
  } catch (const Fault& fault) {
    return {{{}, fault.detail}, {}, {}};
  }
  Coloured out{{gray_pixels(gray), ""}, {}, {}};
  if (chroma.is_empty()) return out;
  chroma.cb.resize(static_cast<size_t>(chroma.width) * chroma.height);
  out.cb = chroma.cb;
  const JpegReader reader(jpeg.data(), jpeg.size());
  JpegPlanes planes;
  if (!reader.is_rgb() && reader.has_planes(planes)) out.rgb = rgb_pixels(gray, chroma);
  return out;
}

/** As stored pictures are read that are to be edited. */
Outcome for_editing(const Bytes& jpeg) {
  try {
    media::Picture picture = media::decode(jpeg);
    return {{picture.width, picture.height, picture.channels, std::move(picture.pixels)}, ""};
  } catch (const media::BadPicture& bad) {
    return {{}, bad.what()};
  }
}

Outcome of_part(const Bytes& jpeg) {
  try {
    return in_gray(JpegCropper().crop(jpeg, PART), POISONS[0]);
  } catch (const Fault& fault) {
    return {{}, fault.detail};
  }
}

/** With memory full of something. */
template <typename Work>
auto poisoned(uint8_t poison, Work work) {
  mallopt(M_PERTURB, poison);
  auto out = work();
  mallopt(M_PERTURB, 0);
  return out;
}

template <typename Work>
auto twice(const char* what, Work work) {
  auto out = poisoned(POISONS[0], [&] { return work(POISONS[0]); });
  if (!(out == poisoned(POISONS[1], [&] { return work(POISONS[1]); })))
    third(std::string(what) + " is what was in the buffer");
  return out;
}

Pixels part_of(const Pixels& whole) {
  Pixels out{PART.width, PART.height, 1, {}};
  for (int y = PART.y; y < PART.y + PART.height; y++) {
    const auto row = whole.bytes.begin() + y * whole.width + PART.x;
    out.bytes.insert(out.bytes.end(), row, row + PART.width);
  }
  return out;
}

/** What concerns one decoder alone: colours that libjpeg cannot spread, and what can be shown but not be written again.
 */
bool is_alone(const std::string& why) {
  return why.find("read in grey only") != std::string::npos || why.find("brighter than white") != std::string::npos;
}

/** Throws for a third outcome. The grey pixels; none: it is refused. */
Pixels examine(const Bytes& jpeg) {
  const Outcome gray = twice("grey", [&](uint8_t poison) { return in_gray(jpeg, poison); });
  const Coloured colour = twice("colour", [&](uint8_t poison) { return in_colour(jpeg, poison); });
  const Outcome edited = twice("an edit", [&](uint8_t) { return for_editing(jpeg); });
  const Outcome part = twice("a part", [&](uint8_t) { return of_part(jpeg); });
  const bool is_refused = !gray.why.empty();
  const auto agrees = [&](const char* what, const std::string& why) {
    if (why.empty() == !is_refused || is_alone(why)) return;
    third(std::string(what) + " says '" + why + "', grey says '" + gray.why + "'");
  };
  agrees("colour", colour.gray.why);
  agrees("an edit", edited.why);
  const bool has_part = PART.fits(gray.pixels.width, gray.pixels.height);
  if (is_refused || has_part) agrees("a part", part.why);
  if (is_refused) return {};
  const Pixels wanted = judged(jpeg, {"-grayscale", "-pnm"});
  if (wanted.bytes.empty()) third("djpeg refuses it");
  if (!(wanted == gray.pixels)) third("djpeg has other grey");
  if (colour.gray.why.empty() && !(wanted == colour.gray.pixels)) third("djpeg has another brightness");
  if (!colour.rgb.bytes.empty() && !(colour.rgb == judged(jpeg, {"-nosmooth", "-pnm"})))
    third("djpeg has other colours");
  if (edited.why.empty() && !(edited.pixels == judged(jpeg, {"-pnm"}))) third("djpeg has other pixels than an edit");
  JpegReader reader(jpeg.data(), jpeg.size());
  const bool is_copied = PART.x % block_width(reader) == 0 && PART.y % block_height(reader) == 0;
  if (part.why.empty() && is_copied && !(part.pixels == part_of(wanted))) third("djpeg has another part");
  return gray.pixels;
}

struct Count {
  int same = 0, altered = 0, refused = 0;
};

int exam(size_t runs, uint64_t seed, const char* where) {
  const std::vector<Whole> wholes = whole_jpegs();
  const std::vector<Kind>& kinds = damage_kinds();
  std::vector<Pixels> intact;
  for (const Whole& whole : wholes) {
    intact.push_back(examine(whole.bytes));
    if (intact.back().bytes.empty()) return std::printf("a whole picture is refused: %s\n", whole.name.c_str()), 1;
  }
  std::vector<Count> counts(kinds.size());
  int thirds = 0;
  for (size_t run = 0; run < runs; run++) {
    const size_t kind = run % kinds.size();
    Dice dice(seed * 1'000'003 + run);
    size_t which = 0;
    Bytes damaged;
    for (int attempt = 0; attempt < 50; attempt++) {
      which = dice.roll(wholes.size());
      damaged = kinds[kind].damage(wholes[which].bytes, wholes[dice.roll(wholes.size())].bytes, dice);
      if (kind == 0 || damaged != wholes[which].bytes) break;
    }
    try {
      const Pixels pixels = examine(damaged);
      Count& count = counts[kind];
      (pixels.bytes.empty() ? count.refused : pixels == intact[which] ? count.same : count.altered)++;
    } catch (const std::exception& wrong) {
      if (thirds++ == 0)
        std::ofstream(where, std::ios::binary)
            .write(reinterpret_cast<const char*>(damaged.data()), static_cast<long>(damaged.size()));
      std::printf("FAILED run %zu, %s, %s: %s\n", run, kinds[kind].name, wholes[which].name.c_str(), wrong.what());
    }
  }
  Count sum;
  std::printf("%-40s %8s %8s %8s\n", "pixels as djpeg has them:", "intact", "altered", "refused");
  for (size_t kind = 0; kind < kinds.size(); kind++) {
    const Count& count = counts[kind];
    std::printf("%-40s %8d %8d %8d\n", kinds[kind].name, count.same, count.altered, count.refused);
    sum.same += count.same;
    sum.altered += count.altered;
    sum.refused += count.refused;
  }
  std::printf(
      "seed %llu: %zu pictures of %zu kinds: %d intact, %d altered as djpeg sees them, %d refused, %d a third thing\n",
      static_cast<unsigned long long>(seed), runs, kinds.size(), sum.same, sum.altered, sum.refused, thirds);
  if (thirds > 0) std::printf("the first is in %s; `jpeg_exam FILE` looks at it again\n", where);
  return thirds > 0 ? 1 : 0;
}

int look_at_files(int count, char** paths) {
  for (int i = 0; i < count; i++) {
    std::ifstream file(paths[i], std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
    const bool is_refused = examine(bytes).bytes.empty();
    std::printf("%s: %s\n", paths[i], is_refused ? in_gray(bytes, POISONS[0]).why.c_str() : "the pixels of djpeg");
  }
  return 0;
}

}  // namespace
}  // namespace vedette::test

int main(int argc, char** argv) {
  using namespace vedette::test;
  try {
    char* end = nullptr;
    const size_t runs = argc == 4 ? std::strtoul(argv[1], &end, 10) : 0;
    if (runs > 0 && *end == '\0') return exam(runs, std::strtoull(argv[2], nullptr, 10), argv[3]);
    return look_at_files(argc - 1, argv + 1);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "jpeg_exam: %s\n", wrong.what());
    return 1;
  }
}
