// Whole pictures through bare libapriltag at decimate 1, on one thread, and through this service's own detector,
// picture by picture, turn about who is first.
//
//   scan ROUNDS FAMILY BITS WIDTH HEIGHT FILE...
//
// BITS: that are corrected. Pictures are made WIDTH x HEIGHT pixels large; 0: they stay as they are. Prints first a
// line with what was found, a list with { width_px, height_px, library, reference, own } for each picture: lists of {
// id, cx_px, cy_px, hamming, margin }; library: libapriltag's, reference: those of them that have a border, which are
// the node's. Then a line for each round: a list of [libapriltag's, own] for each picture: CPU of the thread, us.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bare_library.h"
#include "json.h"
#include "rounds.h"
#include "sized_picture.h"
#include "tag_border.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

std::string real(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
}

std::string described(const std::vector<FoundTag>& tags) {
  return json_list(tags, [](const FoundTag& tag) {
    return JsonPieces()
        .number("id", tag.id)
        .field("cx_px", real(tag.center[0]))
        .field("cy_px", real(tag.center[1]))
        .number("hamming", tag.hamming)
        .field("margin", real(tag.margin))
        .object();
  });
}

int measure(int rounds, const SoughtFamily& sought, const std::vector<GrayImage>& pictures) {
  BareLibrary library(sought);
  TagScan own({sought});
  std::puts(json_list(pictures, [&](const GrayImage& picture) {
              const GreyView view = view_of(picture);
              const std::vector<FoundTag> found = library.find(view, 1);
              const auto is_bordered = [&](const FoundTag& tag) {
                return has_border(view, square_of(*tag.family), tag.corners);
              };
              return JsonPieces()
                  .number("width_px", picture.width)
                  .number("height_px", picture.height)
                  .field("library", described(as_of_node(found)))
                  .field("reference", described(as_of_node(found, is_bordered)))
                  .field("own", described(as_of_node(own.find(view, 1))))
                  .object();
            }).c_str());
  print_rounds(rounds, pictures, [&](const GreyView& view, bool is_own_first) {
    int64_t own_us = is_own_first ? timed_us(own, view) : 0;
    const int64_t library_us = timed_us(library, view);
    if (!is_own_first) own_us = timed_us(own, view);
    return "[" + std::to_string(library_us) + "," + std::to_string(own_us) + "]";
  });
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 7) return std::fprintf(stderr, "scan ROUNDS FAMILY BITS WIDTH HEIGHT FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("scan", argv[2]);
  const std::vector<GrayImage> pictures =
      read_pictures("scan", argc - 6, argv + 6, std::atoi(argv[4]), std::atoi(argv[5]));
  return measure(std::atoi(argv[1]), {family.get(), std::atoi(argv[3])}, pictures);
}
