// A program that changes a picture: picture-edit FROM TO EDIT... , with edits such as rotate:90, flip:vertical,
// crop:x,y,width,height, resize:width,height, brightness:percent. Prints {"ok":true,"width_px":...,"height_px":...}, or
// {"ok":false,"detail":"a sentence"} when the picture cannot be used. What is asked for was checked by the caller
// (machines/media/edits.ts). A process of its own, so that a picture that breaks a decoder breaks nothing else.
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "edit_steps.h"
#include "own_process.h"
#include "picture_codec.h"
#include "whole_file.h"

namespace {

using namespace vedette::media;

constexpr rlim_t MAX_MEMORY =
    1'200'000'000;                // two pictures of 64 megapixels and four channels, one row of floats, two files
constexpr rlim_t MAX_CPU_S = 30;  // of a slow core, for the largest picture

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return out;
}

void run(int argc, char** argv) {
  const std::vector<Edit> edits = parse_edits(argv + 3, argv + argc);
  const std::optional<std::vector<uint8_t>> from = vedette::read_whole_file(argv[1]);
  if (!from) throw std::runtime_error("the picture cannot be opened");
  Size size;
  std::vector<uint8_t> to;
  if (!turn_without_loss(*from, edits, to, size)) {
    Picture picture = decode(*from);
    for (const Edit& edit : edits) apply(edit, picture);
    to = encode(picture);
    size = {picture.width, picture.height};
  }
  if (!vedette::write_whole_file(argv[2], to)) throw std::runtime_error("the new picture cannot be written");
  std::printf("{\"ok\":true,\"width_px\":%d,\"height_px\":%d}\n", size.width, size.height);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "picture-edit FROM TO EDIT...\n"), 2;
  vedette::limit_resources(MAX_MEMORY, MAX_CPU_S);
  return vedette::run_to_end("the picture", [&] {
    try {
      run(argc, argv);
    } catch (const BadPicture& bad) {
      std::printf("{\"ok\":false,\"detail\":\"%s\"}\n", quoted(bad.what()).c_str());
    }
  });
}
