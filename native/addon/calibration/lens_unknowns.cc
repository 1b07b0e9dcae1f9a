#include "lens_unknowns.h"

namespace vedette {

namespace {

constexpr double MIN_DEPTH_M = 1e-6;

}  // namespace

Intrinsics intrinsics_of(const LensUnknowns& lens, int width, int height) {
  Intrinsics to;
  to.known = true;
  to.width = width, to.height = height;
  to.fx = lens[FX], to.fy = lens[FY], to.cx = lens[CX], to.cy = lens[CY];
  to.distortion.assign(lens.begin() + K1, lens.begin() + K6 + 1);
  return to;
}

BendShape bend_at(const BoardViews& board, const BoardCorner& corner) {
  const double along = corner.x / board.half_width, down = corner.y / board.half_height;
  return {1 - along * along, 1 - down * down};
}

void LensAt::see_ray(double x, double y, double& u, double& v, double (&by_ray)[2][2],
                     double (&by_lens)[2][LENS_UNKNOWNS]) const {
  const LensModel::Distorted at = model_.distort(x, y);
  const double fx = lens_[FX], fy = lens_[FY];
  u = fx * at.x + lens_[CX];
  v = fy * at.y + lens_[CY];
  by_ray[0][0] = fx * at.xx, by_ray[0][1] = fx * at.xy;
  by_ray[1][0] = fy * at.xy, by_ray[1][1] = fy * at.yy;

  const double r2 = x * x + y * y;
  const double above = 1 + r2 * (lens_[K1] + r2 * (lens_[K2] + r2 * lens_[K3]));
  const double below = 1 + r2 * (lens_[K4] + r2 * (lens_[K5] + r2 * lens_[K6]));
  const double powers[3] = {r2, r2 * r2, r2 * r2 * r2};
  constexpr LensUnknown ABOVE[] = {K1, K2, K3}, BELOW[] = {K4, K5, K6};
  for (auto& row : by_lens)
    for (double& each : row) each = 0;
  by_lens[0][FX] = at.x, by_lens[1][FY] = at.y;
  by_lens[0][CX] = 1, by_lens[1][CY] = 1;
  for (int i = 0; i < 3; i++) {
    const double by_above = powers[i] / below, by_below = -above * powers[i] / (below * below);
    by_lens[0][ABOVE[i]] = fx * x * by_above, by_lens[1][ABOVE[i]] = fy * y * by_above;
    by_lens[0][BELOW[i]] = fx * x * by_below, by_lens[1][BELOW[i]] = fy * y * by_below;
  }
  by_lens[0][P1] = fx * 2 * x * y, by_lens[1][P1] = fy * (r2 + 2 * y * y);
  by_lens[0][P2] = fx * (r2 + 2 * x * x), by_lens[1][P2] = fy * 2 * x * y;
}

Vec3 LensAt::in_camera(const Mat3& r, const Vec3& place, const BoardCorner& corner, const BendShape& bend,
                       Vec3& turned) const {
  const double z = lens_[BEND_X] * bend.x + lens_[BEND_Y] * bend.y;
  for (int i = 0; i < 3; i++) turned[i] = r[3 * i] * corner.x + r[3 * i + 1] * corner.y + r[3 * i + 2] * z;
  return {turned[0] + place[0], turned[1] + place[1], turned[2] + place[2]};
}

bool LensAt::see(const Mat3& rotation, const Vec3& place, const BoardCorner& corner, const BendShape& bend,
                 SeenCorner& seen) const {
  Vec3 turned;
  const Vec3 point = in_camera(rotation, place, corner, bend, turned);
  if (!(point[2] > MIN_DEPTH_M)) return false;
  const double inverse = 1 / point[2], x = point[0] * inverse, y = point[1] * inverse;
  double by_ray[2][2];
  see_ray(x, y, seen.u, seen.v, by_ray, seen.by_lens);
  for (int i = 0; i < 2; i++) {
    // by the point in the camera's frame
    const double by[3] = {by_ray[i][0] * inverse, by_ray[i][1] * inverse,
                          -(by_ray[i][0] * x + by_ray[i][1] * y) * inverse};
    const double out = by[0] * rotation[2] + by[1] * rotation[5] + by[2] * rotation[8];
    seen.by_lens[i][BEND_X] = out * bend.x;
    seen.by_lens[i][BEND_Y] = out * bend.y;
    seen.by_pose[i][0] = by[2] * turned[1] - by[1] * turned[2];
    seen.by_pose[i][1] = by[0] * turned[2] - by[2] * turned[0];
    seen.by_pose[i][2] = by[1] * turned[0] - by[0] * turned[1];
    for (int k = 0; k < 3; k++) seen.by_pose[i][3 + k] = by[k];
  }
  return true;
}

bool LensAt::see_place(const Mat3& rotation, const Vec3& place, const BoardCorner& corner, const BendShape& bend,
                       double& u, double& v) const {
  Vec3 turned;
  const Vec3 point = in_camera(rotation, place, corner, bend, turned);
  if (!(point[2] > MIN_DEPTH_M)) return false;
  const LensModel::Distorted at = model_.distort(point[0] / point[2], point[1] / point[2]);
  u = lens_[FX] * at.x + lens_[CX];
  v = lens_[FY] * at.y + lens_[CY];
  return true;
}

}  // namespace vedette
