#include "flat_pose.h"

#include <algorithm>
#include <cmath>

#include "corners.h"

namespace vedette {

namespace {

/** Of two axes, each a column. */
struct Matrix2 {
  double xx, xy, yx, yy;
};

/** The rotation that turns the optical axis to a place of the image plane, row by row. */
Mat3 rotation_to(double x, double y) {
  const double length = std::sqrt(1 + x * x + y * y), k = 1 / (length * (length + 1));
  const double u = x / length, v = y / length;
  return {1 - k * x * x, -k * x * y, u, -k * x * y, 1 - k * y * y, v, -u, -v, 1 / length};
}

Mat3 product(const Mat3& a, const Mat3& b) {
  Mat3 out{};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      for (int i = 0; i < 3; i++) out[3 * row + column] += a[3 * row + i] * b[3 * i + column];
  return out;
}

/** Where the origin is with that rotation: the least squares of what each point's line of sight asks for. */
Vec3 place_of(const Mat3& r, const std::vector<cv::Point3d>& points, const std::vector<cv::Point2d>& seen) {
  double u = 0, v = 0, squares = 0, right[3] = {};
  const auto count = static_cast<double>(points.size());
  for (size_t i = 0; i < points.size(); i++) {
    const double x = r[0] * points[i].x + r[1] * points[i].y, y = r[3] * points[i].x + r[4] * points[i].y;
    const double z = r[6] * points[i].x + r[7] * points[i].y;
    const double across = seen[i].x * z - x, down = seen[i].y * z - y;
    u += seen[i].x, v += seen[i].y, squares += seen[i].x * seen[i].x + seen[i].y * seen[i].y;
    right[0] += across, right[1] += down, right[2] -= seen[i].x * across + seen[i].y * down;
  }
  const double z = (right[2] + (u * right[0] + v * right[1]) / count) / (squares - (u * u + v * v) / count);
  return {(right[0] + u * z) / count, (right[1] + v * z) / count, z};
}

}  // namespace

std::optional<std::array<Pose, 2>> flat_poses(const Homography& onto_image, const std::vector<cv::Point3d>& points,
                                              const std::vector<cv::Point2d>& seen) {
  const auto& m = onto_image.m;
  const double x = m[2] / m[8], y = m[5] / m[8];
  // How the axes are seen at the origin, and how they would be if that lay on the optical axis: turned, tilted, small.
  const double w = m[8];
  const Matrix2 j{(m[0] - m[6] * x) / w, (m[1] - m[7] * x) / w, (m[3] - m[6] * y) / w, (m[4] - m[7] * y) / w};
  const Mat3 axis = rotation_to(x, y);
  const Matrix2 b{axis[0] - x * axis[6], axis[1] - x * axis[7], axis[3] - y * axis[6], axis[4] - y * axis[7]};
  const double determinant = b.xx * b.yy - b.xy * b.yx;
  const Matrix2 a{(b.yy * j.xx - b.xy * j.yx) / determinant, (b.yy * j.xy - b.xy * j.yy) / determinant,
                  (b.xx * j.yx - b.yx * j.xx) / determinant, (b.xx * j.yy - b.yx * j.xy) / determinant};
  // The larger of the two singular values: along the axis about which it is tilted nothing is shortened.
  const double scale = (length_of(a.xx + a.yy, a.yx - a.xy) + length_of(a.xx - a.yy, a.yx + a.xy)) / 2;
  if (!(std::isfinite(scale) && scale > 0)) return {};
  const Matrix2 r{a.xx / scale, a.xy / scale, a.yx / scale, a.yy / scale};
  // What is missing of either axis' length goes into the depth, so that the two stand upright on each other.
  const double square_x = 1 - r.xx * r.xx - r.yx * r.yx, square_y = 1 - r.xy * r.xy - r.yy * r.yy;
  const double deep_x = std::sqrt(std::max(0.0, square_x));
  const double deep_y = std::copysign(std::sqrt(std::max(0.0, square_y)), -(r.xx * r.xy + r.yx * r.yy));
  const auto tilted = [&](double side) {
    const Vec3 p{r.xx, r.yx, side * deep_x}, q{r.xy, r.yy, side * deep_y};
    const Vec3 away{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    const Mat3 rotation = product(axis, {p[0], q[0], away[0], p[1], q[1], away[1], p[2], q[2], away[2]});
    return pose_from_matrix(rotation, place_of(rotation, points, seen));
  };
  return std::array<Pose, 2>{tilted(1), tilted(-1)};
}

}  // namespace vedette
