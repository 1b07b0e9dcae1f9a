#include "synthetic_draw.h"

#include <algorithm>
#include <cmath>

namespace vedette {
namespace {

constexpr double FARTHEST_M = 25;
constexpr double MIN_COSINE = 0.07;  // beyond 86 degrees a sheet is a line

/**
 * Where a pixel lies along one sheet axis, as the distribution of that coordinate over the square pixel: a trapezoid,
 * the sum of two uniform spreads. For an edge along the other axis this is exact area sampling, at any angle; where two
 * edges meet, their product is close enough.
 */
struct Spread {
  double centre, support, plateau;

  Spread(double centre_, double per_u, double per_v) : centre(centre_) {
    const double a = std::fabs(per_u), b = std::fabs(per_v);
    support = (a + b) / 2;
    plateau = std::fabs(a - b) / 2;
  }

  /** Share of the pixel below `edge`. */
  double below(double edge) const {
    const double x = edge - centre, distance = std::fabs(x);
    if (distance >= support) return x > 0 ? 1 : 0;
    if (distance <= plateau) return 0.5 + x / (support + plateau);
    const double rest = (support - distance) * (support - distance) / (2 * (support * support - plateau * plateau));
    return x > 0 ? 1 - rest : rest;
  }

  double within(double from, double to) const { return below(to) - below(from); }
};

/** Truncation towards minus infinity without a library call; good above -64. */
inline int floor_of(double value) { return static_cast<int>(value + 64) - 64; }

/** Adds the sheet's light, and how much of the pixel the sheet fills. */
void sample_sheet(const Sheet& sheet, const Spread& s, const Spread& t, double& light, double& filled) {
  const int first_s = std::max(0, floor_of(s.centre - s.support)),
            last_s = std::min(sheet.columns - 1, floor_of(s.centre + s.support));
  const int first_t = std::max(0, floor_of(t.centre - t.support)),
            last_t = std::min(sheet.rows - 1, floor_of(t.centre + t.support));
  for (int row = first_t; row <= last_t; row++) {
    const double share_t = t.within(row, row + 1);
    for (int column = first_s; column <= last_s; column++) {
      const double share = share_t * s.within(column, column + 1);
      light += share * sheet.ink[row * sheet.columns + column];
      filled += share;
    }
  }
}

/** How a bent sheet differs from a flat one in a row of pixels of a lattice cell, bilinear. */
struct Shift {
  double first = 0, per_u = 0, per_v = 0;

  Shift() = default;
  Shift(const float* upper_left, int columns, double down) {
    constexpr int STEP = Lens::LATTICE_STEP;
    const float *upper = upper_left, *lower = upper_left + columns;
    first = upper[0] + (lower[0] - upper[0]) * down;
    per_u = (upper[1] + (lower[1] - upper[1]) * down - first) / STEP;
    per_v = (lower[0] - upper[0]) / STEP;
  }
  double at(double along) const { return first + per_u * along; }
};

/** A place of a sheet in its own frame, as if it were flat. */
Vec3 flat_place(const Sheet& sheet, double s, double t) {
  return {0, (s - sheet.columns / 2.0) * sheet.cell_width_m, (sheet.rows / 2.0 - t) * sheet.cell_height_m};
}

}  // namespace

Vec3 optical_from_sheet(const Sheet& sheet, const Pose& optical_tag, double s, double t) {
  Vec3 place = flat_place(sheet, s, t);
  if (!sheet.bend.is_flat()) place[0] = -sheet.behind_m(s, t);
  return transform(optical_tag, place);
}

bool view_sheet(const Lens& lens, const Sheet& sheet, const Pose& tag_camera, SheetView& view) {
  view.distance_m = std::hypot(tag_camera.x, tag_camera.y, tag_camera.z);
  if (view.distance_m > FARTHEST_M || tag_camera.x < MIN_COSINE * view.distance_m) return false;

  const Pose optical_tag = invert(compose(tag_camera, body_optical()));
  const double from_s = std::min(0.0, sheet.cover.left), to_s = std::max<double>(sheet.columns, sheet.cover.right);
  const double from_t = std::min(0.0, sheet.cover.top), to_t = std::max<double>(sheet.rows, sheet.cover.bottom);
  view.left = view.top = 1e9;
  view.right = view.bottom = -1e9;
  // Edges bend under distortion, so the box needs more than the corners.
  constexpr int STEPS = 4;
  for (int i = 0; i <= STEPS; i++) {
    for (int j = 0; j <= STEPS; j++) {
      if (i % STEPS != 0 && j % STEPS != 0) continue;
      double u, v;
      if (!lens.project(optical_from_sheet(sheet, optical_tag, from_s + (to_s - from_s) * i / STEPS,
                                           from_t + (to_t - from_t) * j / STEPS),
                        u, v))
        return false;
      view.left = std::min(view.left, u);
      view.right = std::max(view.right, u);
      view.top = std::min(view.top, v);
      view.bottom = std::max(view.bottom, v);
    }
  }

  // The ray (x, y, 1) meets the sheet where a * s + b * t + c is along the ray: invert the matrix [a b c] by cross
  // products.
  const Vec3 c = transform(optical_tag, flat_place(sheet, 0, 0));
  const Vec3 a = rotate(optical_tag, {0, sheet.cell_width_m, 0});
  const Vec3 b = rotate(optical_tag, {0, 0, -sheet.cell_height_m});
  const auto cross = [](const Vec3& p, const Vec3& q) {
    return Vec3{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double scale = 1 / (ab[0] * c[0] + ab[1] * c[1] + ab[2] * c[2]);
  for (int i = 0; i < 3; i++) {
    view.sheet_from_ray[i] = bc[i] * scale;
    view.sheet_from_ray[3 + i] = ca[i] * scale;
    view.sheet_from_ray[6 + i] = ab[i] * scale;
  }
  view.eye_s = sheet.columns / 2.0 + tag_camera.y / sheet.cell_width_m;
  view.eye_t = sheet.rows / 2.0 - tag_camera.z / sheet.cell_height_m;
  view.eye_m = tag_camera.x;
  return true;
}

void SheetPainter::paint(const Sheet& sheet, const std::vector<SheetView>& instants, const Lighting& exposure,
                         GrayImage& picture) {
  SheetView all = instants.front();
  for (const SheetView& view : instants) {
    all.left = std::min(all.left, view.left);
    all.top = std::min(all.top, view.top);
    all.right = std::max(all.right, view.right);
    all.bottom = std::max(all.bottom, view.bottom);
  }
  left_ = static_cast<int>(std::clamp(all.left - 1, 0.0, static_cast<double>(picture.width)));
  top_ = static_cast<int>(std::clamp(all.top - 1, 0.0, static_cast<double>(picture.height)));
  right_ = static_cast<int>(std::clamp(all.right + 2, 0.0, static_cast<double>(picture.width)));
  bottom_ = static_cast<int>(std::clamp(all.bottom + 2, 0.0, static_cast<double>(picture.height)));
  if (left_ >= right_ || top_ >= bottom_) return;

  const int width = right_ - left_;
  light_.assign(static_cast<size_t>(width) * (bottom_ - top_), 0);
  cover_.assign(light_.size(), 0);
  for (const SheetView& view : instants) add(sheet, view, 1.0f / static_cast<float>(instants.size()));

  for (int v = top_; v < bottom_; v++) {
    uint8_t* row = &picture.pixels[static_cast<size_t>(v) * picture.stride];
    for (int u = left_; u < right_; u++) {
      const size_t at = static_cast<size_t>(v - top_) * width + (u - left_);
      if (cover_[at] == 0) continue;
      const double level = row[u] * (1 - cover_[at]) + light_[at] * exposure.gain(lens_, u + 0.5, v + 0.5);
      row[u] = static_cast<uint8_t>(std::clamp(level + 0.5, 0.0, 255.0));
    }
  }
}

/**
 * Where the ray that would meet the flat sheet meets the bent one. Each step divides the error by ten and more: a sheet
 * is bent by little of its size.
 */
void SheetPainter::find_shifts(const Sheet& sheet, const SheetView& view) {
  constexpr int STEP = Lens::LATTICE_STEP, ROUNDS = 8;
  const Mat3& m = view.sheet_from_ray;
  first_column_ = left_ / STEP, first_row_ = top_ / STEP;
  shift_columns_ = (right_ - 1) / STEP + 2 - first_column_;
  const int rows = (bottom_ - 1) / STEP + 2 - first_row_;
  shift_s_.assign(static_cast<size_t>(shift_columns_) * rows, 0);
  shift_t_.assign(shift_s_.size(), 0);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < shift_columns_; column++) {
      const double x = lens_.lattice_x(first_row_ + row)[first_column_ + column],
                   y = lens_.lattice_y(first_row_ + row)[first_column_ + column];
      const double w = m[6] * x + m[7] * y + m[8];
      if (w <= 0) continue;
      const double s = (m[0] * x + m[1] * y + m[2]) / w, t = (m[3] * x + m[4] * y + m[5]) / w;
      double beyond = 0;  // as a share of the way to the flat sheet
      for (int i = 0; i < ROUNDS; i++) {
        const double at_s = s + beyond * (s - view.eye_s), at_t = t + beyond * (t - view.eye_t);
        // far from the sheet nothing is seen of it, and its parabola would run away
        const double on_s = std::clamp<double>(at_s, -1, sheet.columns + 1);
        const double on_t = std::clamp<double>(at_t, -1, sheet.rows + 1);
        beyond = sheet.behind_m(on_s, on_t) / view.eye_m;
      }
      const size_t at = static_cast<size_t>(row) * shift_columns_ + column;
      shift_s_[at] = static_cast<float>(beyond * (s - view.eye_s));
      shift_t_[at] = static_cast<float>(beyond * (t - view.eye_t));
    }
}

/**
 * Walks the lattice cells under the sheet; within a cell the ray is linear in the pixel, so the homography's three sums
 * are too.
 */
void SheetPainter::add(const Sheet& sheet, const SheetView& view, float weight) {
  constexpr int STEP = Lens::LATTICE_STEP;
  const Mat3& m = view.sheet_from_ray;
  const bool covered = sheet.cover.left < sheet.cover.right;
  const double from_s = std::min(0.0, sheet.cover.left), to_s = std::max<double>(sheet.columns, sheet.cover.right);
  const double from_t = std::min(0.0, sheet.cover.top), to_t = std::max<double>(sheet.rows, sheet.cover.bottom);
  const bool is_bent = !sheet.bend.is_flat();
  if (is_bent) find_shifts(sheet, view);
  for (int v = top_; v < bottom_; v++) {
    const int row = v / STEP;
    const double down = (v + 0.5) / STEP - row;
    const float *upper_x = lens_.lattice_x(row), *lower_x = lens_.lattice_x(row + 1);
    const float *upper_y = lens_.lattice_y(row), *lower_y = lens_.lattice_y(row + 1);
    for (int column = left_ / STEP; column * STEP < right_; column++) {
      const double x = upper_x[column] + (lower_x[column] - upper_x[column]) * down,
                   y = upper_y[column] + (lower_y[column] - upper_y[column]) * down;
      const double right_x = upper_x[column + 1] + (lower_x[column + 1] - upper_x[column + 1]) * down;
      const double right_y = upper_y[column + 1] + (lower_y[column + 1] - upper_y[column + 1]) * down;
      const double x_per_u = (right_x - x) / STEP, y_per_u = (right_y - y) / STEP;
      const double x_per_v = (lower_x[column] - upper_x[column]) / STEP,
                   y_per_v = (lower_y[column] - upper_y[column]) / STEP;
      const double s_at = m[0] * x + m[1] * y + m[2], s_per_u = m[0] * x_per_u + m[1] * y_per_u,
                   s_per_v = m[0] * x_per_v + m[1] * y_per_v;
      const double t_at = m[3] * x + m[4] * y + m[5], t_per_u = m[3] * x_per_u + m[4] * y_per_u,
                   t_per_v = m[3] * x_per_v + m[4] * y_per_v;
      const double w_at = m[6] * x + m[7] * y + m[8], w_per_u = m[6] * x_per_u + m[7] * y_per_u,
                   w_per_v = m[6] * x_per_v + m[7] * y_per_v;
      Shift shift_s, shift_t;
      if (is_bent) {
        const size_t at = static_cast<size_t>(row - first_row_) * shift_columns_ + (column - first_column_);
        shift_s = Shift(&shift_s_[at], shift_columns_, down), shift_t = Shift(&shift_t_[at], shift_columns_, down);
      }
      const int last = std::min(right_, (column + 1) * STEP);
      for (int u = std::max(left_, column * STEP); u < last; u++) {
        const double along = u + 0.5 - column * STEP;
        const double w = w_at + w_per_u * along;
        if (w <= 0) continue;  // this ray never meets the sheet's plane
        const double depth = 1 / w;
        double s = (s_at + s_per_u * along) * depth, t = (t_at + t_per_u * along) * depth;
        double s_by_u = (s_per_u - s * w_per_u) * depth, s_by_v = (s_per_v - s * w_per_v) * depth;
        double t_by_u = (t_per_u - t * w_per_u) * depth, t_by_v = (t_per_v - t * w_per_v) * depth;
        if (is_bent) {
          s += shift_s.at(along), s_by_u += shift_s.per_u, s_by_v += shift_s.per_v;
          t += shift_t.at(along), t_by_u += shift_t.per_u, t_by_v += shift_t.per_v;
        }
        const Spread across(s, s_by_u, s_by_v), along_t(t, t_by_u, t_by_v);
        if (s + across.support <= from_s || s - across.support >= to_s || t + along_t.support <= from_t ||
            t - along_t.support >= to_t)
          continue;

        double light = 0, filled = 0;
        sample_sheet(sheet, across, along_t, light, filled);
        if (covered) {
          const double hidden =
              across.within(sheet.cover.left, sheet.cover.right) * along_t.within(sheet.cover.top, sheet.cover.bottom);
          light += (COVER - light) * hidden;
          filled += (1 - filled) * hidden;
        }
        const size_t at = static_cast<size_t>(v - top_) * (right_ - left_) + (u - left_);
        light_[at] += weight * static_cast<float>(light);
        cover_[at] += weight * static_cast<float>(filled);
      }
    }
  }
}

}  // namespace vedette
