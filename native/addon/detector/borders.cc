#include "borders.h"

namespace vedette {

void Borders::find(const Runs& black, const Runs& white, int height, Inside inside, SecondThread* second) {
  BorderBand &upper = bands_[0], &lower = bands_[1];
  const int middle = second ? height / 2 : height;
  in_parts(second, [&](int part) {
    part == 0 ? upper.find(black, white, 0, middle, height, inside)
              : lower.find(black, white, middle, height, height, inside);
  });
  of_lower_.clear();
  if (!second) return;
  for (const Border& border : lower.all()) of_lower_.push_back(upper.add(border));
}

void Borders::make_points(const std::vector<uint32_t>& wanted, SecondThread* second) {
  BorderBand &upper = bands_[0], &lower = bands_[1];
  starts_.assign(1, 0);
  upper.want_none();
  for (const uint32_t border : wanted) {
    upper.want(border, static_cast<uint32_t>(starts_.back()));
    starts_.push_back(starts_.back() + all()[border].points);
  }
  points_.resize(starts_.back());
  if (second) lower.want_none();
  for (uint32_t i = 0; i < of_lower_.size(); i++) {
    const uint32_t border = of_lower_[i];  // of its points the last are those of the lower rows
    if (upper.wants(border)) lower.want(i, upper.first_point(border) + all()[border].points - lower.all()[i].points);
  }
  in_parts(second, [&](int part) { bands_[part].make_points(points_.data()); });
}

}  // namespace vedette
