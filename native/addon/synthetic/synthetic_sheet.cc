#include "synthetic_sheet.h"

#include <cstdlib>
#include <map>
#include <memory>

#include "source.h"
#include "synthetic_random.h"
#include "tag_family.h"

namespace vedette {
namespace {

/** libapriltag allocates pictures with the C library but does not export its way to free them. */
void free_image(image_u8_t* image) {
  std::free(image->buf);
  std::free(image);
}

/** A strip over a quarter to three fifths of the marked square, from one of its four sides. */
Sheet::Cover cover_from_a_side(const Sheet& sheet, uint64_t key) {
  const double beyond = 0.6, cells = sheet.columns, square = sheet.columns - 2 * sheet.border_cells;
  const double reach = sheet.border_cells + square * (0.25 + 0.35 * mixed_share(key, 1));
  switch (mixed(key, 2) % 4) {
    case 0:
      return {-beyond, -beyond, reach, cells + beyond};
    case 1:
      return {cells - reach, -beyond, cells + beyond, cells + beyond};
    case 2:
      return {-beyond, -beyond, cells + beyond, reach};
    default:
      return {-beyond, cells - reach, cells + beyond, cells + beyond};
  }
}

}  // namespace

std::vector<float> print_tag(apriltag_family_t* family, int id) {
  const std::unique_ptr<image_u8_t, void (*)(image_u8_t*)> image(apriltag_to_image(family, static_cast<uint32_t>(id)),
                                                                 free_image);
  std::vector<float> ink;
  for (int row = 0; row < image->height; row++)
    for (int column = 0; column < image->width; column++)
      ink.push_back(image->buf[row * image->stride + column] > 127 ? PAPER : BLACK_INK);
  return ink;
}

std::vector<Sheet> print_sheets(const FieldMap& map, double occlusion, uint32_t seed) {
  std::map<std::string, FamilyOwner> families;
  std::vector<Sheet> sheets;
  for (const MapTag& tag : map.tags) {
    const std::string& name = map.family_of(tag);
    if (families.count(name) == 0) families.emplace(name, make_family(name));
    const FamilyOwner& family = families.at(name);
    if (!family)
      throw Fault{"camera.unreadable",
                  "the synthetic camera cannot print tags of the family '" + name + "', which it does not know"};
    if (tag.id < 0 || static_cast<uint32_t>(tag.id) >= family->ncodes)
      throw Fault{"camera.unreadable", "the field map has tag " + std::to_string(tag.id) + ", but " + name +
                                           " ends with " + std::to_string(family->ncodes - 1) + "; correct the map"};
    Sheet sheet;
    sheet.id = tag.id;
    sheet.field_tag = tag.field_tag;
    sheet.cell_width_m = sheet.cell_height_m = map.size_of(tag) / family->width_at_border;
    sheet.columns = sheet.rows = family->total_width;
    sheet.border_cells = (family->total_width - family->width_at_border) / 2;
    sheet.ink = print_tag(family.get(), tag.id);
    const uint64_t key = mixed(seed, static_cast<uint64_t>(tag.id));
    if (mixed_share(key, 0) < occlusion) sheet.cover = cover_from_a_side(sheet, key);
    sheets.push_back(std::move(sheet));
  }
  return sheets;
}

}  // namespace vedette
