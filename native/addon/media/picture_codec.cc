// JPEG by JpegReader and libjpeg-turbo, PNG by libpng. Gray stays gray, transparency and 16 bits stay.
#include "picture_codec.h"

#include <turbojpeg.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "jpeg_reader.h"
#include "png_file.h"

namespace vedette::media {
namespace {

constexpr int64_t MAX_PIXELS = 64'000'000;
constexpr int QUALITY = 92;  // another pass at this quality is not seen

using Turbo = std::unique_ptr<void, int (*)(tjhandle)>;
using TurboBuffer = std::unique_ptr<unsigned char, void (*)(unsigned char*)>;

bool is_jpeg(const std::vector<uint8_t>& file) { return file.size() >= 3 && file[0] == 0xff && file[1] == 0xd8; }

void check_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width * height > MAX_PIXELS)
    throw BadPicture("its header says " + std::to_string(width) + "x" + std::to_string(height) + " pixels");
}

constexpr size_t SIGNATURE = 8, CHUNK_FRAME = 12, BEHIND_HEADER = SIGNATURE + CHUNK_FRAME + 13;

/**
 * What a PNG says of how its numbers are to be shown, as it stands there: without it the changed version would look
 * otherwise.
 */
std::vector<uint8_t> colour_notes(const std::vector<uint8_t>& file) {
  std::vector<uint8_t> notes;
  for (size_t at = SIGNATURE; at + CHUNK_FRAME <= file.size();) {
    const size_t length = static_cast<size_t>(file[at]) << 24 | file[at + 1] << 16 | file[at + 2] << 8 | file[at + 3];
    const std::string_view type(reinterpret_cast<const char*>(&file[at + 4]), 4);
    if (type == "IDAT" || type == "PLTE" || length > file.size() - at - CHUNK_FRAME) break;
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
    at += CHUNK_FRAME + length;
    if (type == "gAMA" || type == "cHRM" || type == "sRGB" || type == "iCCP")
      notes.insert(notes.end(), begin, file.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return notes;
}

/** What has lost pixels is refused: the picture that is made of it would hide that. */
Picture decode_jpeg(const std::vector<uint8_t>& file) {
  JpegReader reader(file.data(), file.size());
  Picture picture;
  picture.width = reader.width();
  picture.height = reader.height();
  check_size(picture.width, picture.height);
  picture.is_jpeg = true;
  picture.channels = reader.is_gray() ? 1 : 3;
  picture.sampling = reader.sampling() < 0 ? static_cast<int>(TJSAMP_420) : reader.sampling();
  const size_t stride = static_cast<size_t>(picture.width) * picture.channels;
  picture.pixels.resize(stride * picture.height);
  if (reader.is_gray()) reader.read_gray(picture.pixels.data(), stride);
  else reader.read_rgb(picture.pixels.data(), stride);
  return picture;
}

Picture decode_png(const std::vector<uint8_t>& file) {
  PngPixels png;
  try {
    int64_t width = 0, height = 0;
    read_png_size(file.data(), file.size(), width, height);
    check_size(width, height);
    read_png(file.data(), file.size(), PngDepth::as_written, png);
  } catch (const BadPng& bad) {
    throw BadPicture(std::string("it cannot be decoded: ") + bad.what());
  }
  Picture picture;
  picture.width = png.width;
  picture.height = png.height;
  picture.channels = png.channels;
  picture.sample_bytes = png.sample_bytes;
  picture.pixels = std::move(png.samples);
  picture.colour_notes = colour_notes(file);
  return picture;
}

std::vector<uint8_t> encode_jpeg(const Picture& picture) {
  const Turbo turbo(tjInitCompress(), tjDestroy);
  unsigned char* bytes = nullptr;
  unsigned long length = 0;
  const int format = picture.channels == 1 ? TJPF_GRAY : TJPF_RGB;
  const int rc = tjCompress2(turbo.get(), picture.pixels.data(), picture.width, 0, picture.height, format, &bytes,
                             &length, picture.sampling, QUALITY, 0);
  const TurboBuffer owned(bytes, tjFree);
  if (rc != 0) throw std::runtime_error(tjGetErrorStr2(turbo.get()));
  return {bytes, bytes + length};
}

std::vector<uint8_t> encode_png(const Picture& picture) {
  std::vector<uint8_t> file =
      write_png({picture.width, picture.height, picture.channels, picture.sample_bytes, picture.pixels});
  file.insert(file.begin() + BEHIND_HEADER, picture.colour_notes.begin(), picture.colour_notes.end());
  return file;
}

/** Nothing of it is lost, so nothing is hidden by writing it again. */
bool is_intact(const std::vector<uint8_t>& file) {
  try {
    JpegReader reader(file.data(), file.size());
    check_size(reader.width(), reader.height());
    reader.read_coefficients();
    return true;
  } catch (const BadJpeg&) {
    return false;  // decoding it says why
  }
}

/** The one transformation that all of them make together; -1: there is another edit among them. */
int transformation(const std::vector<Edit>& edits) {
  int quarters = 0;
  bool is_mirrored = false;  // left and right, before the turn
  for (const Edit& edit : edits) {
    if (edit.kind == EditKind::rotate) {
      quarters += edit.a / 90;
    } else if (edit.kind == EditKind::flip) {
      is_mirrored = !is_mirrored;
      // mirroring after a turn is mirroring before the turn the other way round
      quarters = edit.a == 0 ? -quarters : 2 - quarters;
    } else {
      return -1;
    }
  }
  const int turn = ((quarters % 4) + 4) % 4;
  const int plain[] = {TJXOP_NONE, TJXOP_ROT90, TJXOP_ROT180, TJXOP_ROT270};
  const int mirrored[] = {TJXOP_HFLIP, TJXOP_TRANSVERSE, TJXOP_VFLIP, TJXOP_TRANSPOSE};
  return is_mirrored ? mirrored[turn] : plain[turn];
}

}  // namespace

Picture decode(const std::vector<uint8_t>& file) {
  try {
    return is_jpeg(file) ? decode_jpeg(file) : decode_png(file);
  } catch (const BadJpeg& bad) {
    throw BadPicture(std::string("it cannot be decoded: ") + bad.what());
  }
}

std::vector<uint8_t> encode(const Picture& picture) {
  return picture.is_jpeg ? encode_jpeg(picture) : encode_png(picture);
}

bool turn_without_loss(const std::vector<uint8_t>& file, const std::vector<Edit>& edits, std::vector<uint8_t>& out,
                       Size& size) {
  const int operation = transformation(edits);
  if (!is_jpeg(file) || operation < 0 || !is_intact(file)) return false;
  const Turbo turbo(tjInitTransform(), tjDestroy);
  tjtransform transform{};
  transform.op = operation;
  // no blocks that stick out; no note by the camera of which side is up, which is not so any more
  transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE;
  unsigned char* bytes = nullptr;
  unsigned long length = 0;
  const int rc = tjTransform(turbo.get(), file.data(), file.size(), 1, &bytes, &length, &transform, 0);
  const TurboBuffer owned(bytes, tjFree);
  if (rc != 0) return false;
  const JpegReader turned(bytes, length);
  size = {turned.width(), turned.height()};
  out.assign(bytes, bytes + length);
  return true;
}

}  // namespace vedette::media
