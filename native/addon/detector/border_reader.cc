#include "border_reader.h"

#include <algorithm>

#include "quad_refine.h"

namespace vedette {

namespace {

constexpr double MIN_SIDE_PX = 3;  // of a tag, where pictures are made small

}  // namespace

LookedAt::LookedAt(const GreyView& picture, const GreyView& small, double min_modules)
    : picture(picture), small(small) {
  // A module has a pixel at least, of the picture in which it is read.
  min_side_px = std::max(MIN_SIDE_PX, min_modules / std::max(scale_x(), scale_y()));
}

void choose_borders(const std::vector<Border>& all, const LookedAt& looked_at, Inside inside,
                    std::vector<uint32_t>& wanted) {
  wanted.clear();
  // One that goes round all of the picture has so many; a longer one is no outline.
  const uint32_t max_points = 2 * (looked_at.small.width + looked_at.small.height);
  for (uint32_t i = 0; i < all.size(); i++)
    if (all[i].points <= max_points && may_be_quad(all[i], looked_at.min_side_px) &&
        (is_black_inside(all[i]) ? inside.black : inside.white))
      wanted.push_back(i);
}

void BorderReader::read(const LookedAt& looked_at, const Border& border, Borders::Points points,
                        std::vector<FoundTag>& tags) {
  quads_.clear();
  fit(looked_at, border, points, quads_);
  read(looked_at, quads_, tags);
}

void BorderReader::fit(const LookedAt& looked_at, const Border& border, Borders::Points points,
                       std::vector<Quad>& quads) {
  quad_fit_.fit(looked_at.small, border, points, looked_at.min_side_px, quads);
}

void BorderReader::read(const LookedAt& looked_at, std::vector<Quad>& quads, std::vector<FoundTag>& tags) {
  const double scale_x = looked_at.scale_x(), scale_y = looked_at.scale_y();
  bool is_read = false;
  for (Quad& rough : quads) {
    if (rough.is_second && is_read) continue;
    for (double(&corner)[2] : rough.corners) corner[0] *= scale_x, corner[1] *= scale_y;
    is_read = read_quad(looked_at, rough, tags);
  }
}

bool BorderReader::read_quad(const LookedAt& looked_at, const Quad& rough, std::vector<FoundTag>& tags) {
  const GreyView& picture = looked_at.picture;
  const auto may_read = [&](const TagReader& reader) {
    return reader.square().is_light != rough.is_black_inside && reader.may_say_something(picture, rough);
  };
  if (std::none_of(readers_.begin(), readers_.end(), may_read)) return false;
  Quad refined = rough;
  refine_quad(picture, refined, std::max(looked_at.scale_x(), looked_at.scale_y()));
  bool is_read = false;
  for (TagReader& reader : readers_) {
    if (reader.square().is_light == rough.is_black_inside) continue;
    if (const std::optional<FoundTag> tag = reader.read(picture, rough, refined)) tags.push_back(*tag), is_read = true;
  }
  return is_read;
}

}  // namespace vedette
