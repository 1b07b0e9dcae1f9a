// A program that has both detectors look at a picture: compare FROM TO DECIMATE FAMILY:MARGIN:BITS... Writes both
// answers, side by side, to the JPEG TO, and prints
// {"ok":true,"width_px":..,"height_px":..,
//  "reference":{"cpu_us":..,"tags":[{"family":..,"id":..,"is_alone":..}]},"vedette":{..}},
// or {"ok":false,"detail":"a sentence"} when the picture cannot be used. Requests were checked by the caller
// (native/compare/). A process for each picture, so that what one of them does to a detector it does to no other.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>

#include "json.h"
#include "picture.h"
#include "side_by_side.h"
#include "upright.h"
#include "whole_file.h"

namespace vedette {
namespace {

constexpr int QUALITY = 90;

/** FAMILY:MARGIN:BITS */
FamilyChoice choice_of(const std::string& word) {
  const size_t first = word.find(':'), second = word.find(':', first + 1);
  if (second == std::string::npos) throw std::runtime_error("a family is written FAMILY:MARGIN:BITS, not " + word);
  return {word.substr(0, first), std::atof(word.c_str() + first + 1), std::atof(word.c_str() + second + 1)};
}

std::string described(const Answer& answer) {
  JsonPieces tags;
  for (size_t i = 0; i < answer.tags.size(); i++)
    tags.add(JsonPieces()
                 .text("family", TAG_FAMILIES[answer.tags[i].family])
                 .number("id", answer.tags[i].id)
                 .boolean("is_alone", answer.is_alone[i])
                 .object());
  return JsonPieces().number("cpu_us", static_cast<int64_t>(answer.cpu_us)).field("tags", tags.list()).object();
}

void compare(const char* from, const char* to, double decimate, const std::vector<FamilyChoice>& families) {
  cv::setNumThreads(0);  // as the engine does
  const std::optional<std::vector<uint8_t>> file = read_whole_file(from);
  if (!file) throw Fault{"picture.corrupt", "the picture cannot be opened"};
  GrayImage picture;
  PictureDecoder().decode_gray(file->data(), file->size(), picture);
  Chroma none;
  // As people see it, and the engine.
  Turner().set_upright(picture, none, noted_orientation(file->data(), file->size()));
  const Answers answers = BothDetectors(families, decimate).look(picture);
  const cv::Mat drawn = side_by_side(picture, answers);
  int width = 0, height = 0;
  const std::vector<uint8_t> jpeg = PictureEncoder().encode(
      {drawn.data, drawn.cols, drawn.rows, static_cast<int>(drawn.step), 3}, QUALITY, 0, width, height);
  if (!write_whole_file(to, jpeg)) throw std::runtime_error("the comparison cannot be written");
  std::puts(JsonPieces()
                .boolean("ok", true)
                .number("width_px", picture.width)
                .number("height_px", picture.height)
                .field("reference", described(answers.reference))
                .field("vedette", described(answers.vedette))
                .object()
                .c_str());
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 5) return std::fprintf(stderr, "compare FROM TO DECIMATE FAMILY:MARGIN:BITS...\n"), 2;
  try {
    std::vector<FamilyChoice> families;
    for (int i = 4; i < argc; i++) families.push_back(choice_of(argv[i]));
    compare(argv[1], argv[2], std::atof(argv[3]), families);
    return 0;
  } catch (const Fault& fault) {
    std::puts(JsonPieces().boolean("ok", false).text("detail", fault.detail).object().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
