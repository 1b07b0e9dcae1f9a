// The arithmetic of rigid poses, the same as machines/localization/pose.ts. Header-only and free of allocation.
#pragma once

#include <array>
#include <cmath>

#include "frame.h"

namespace vedette {

/** A vector or point, metres. */
using Vec3 = std::array<double, 3>;

/** A 3x3 matrix by rows. */
using Mat3 = std::array<double, 9>;

/** The rotation of `pose` applied to a vector. */
inline Vec3 rotate(const Pose& pose, const Vec3& v) {
  const double tx = 2 * (pose.qy * v[2] - pose.qz * v[1]);
  const double ty = 2 * (pose.qz * v[0] - pose.qx * v[2]);
  const double tz = 2 * (pose.qx * v[1] - pose.qy * v[0]);
  return {v[0] + pose.qw * tx + pose.qy * tz - pose.qz * ty, v[1] + pose.qw * ty + pose.qz * tx - pose.qx * tz,
          v[2] + pose.qw * tz + pose.qx * ty - pose.qy * tx};
}

/** A point given in B, in A, from B in A. */
inline Vec3 transform(const Pose& pose, const Vec3& point) {
  const Vec3 turned = rotate(pose, point);
  return {pose.x + turned[0], pose.y + turned[1], pose.z + turned[2]};
}

/** Pose of C in A, from B in A and C in B. */
inline Pose compose(const Pose& a, const Pose& b) {
  const Vec3 t = transform(a, {b.x, b.y, b.z});
  return {t[0],
          t[1],
          t[2],
          a.qw * b.qw - a.qx * b.qx - a.qy * b.qy - a.qz * b.qz,
          a.qw * b.qx + a.qx * b.qw + a.qy * b.qz - a.qz * b.qy,
          a.qw * b.qy - a.qx * b.qz + a.qy * b.qw + a.qz * b.qx,
          a.qw * b.qz + a.qx * b.qy - a.qy * b.qx + a.qz * b.qw};
}

/** Pose of A in B, from B in A. */
inline Pose invert(const Pose& pose) {
  Pose back{0, 0, 0, pose.qw, -pose.qx, -pose.qy, -pose.qz};
  const Vec3 t = rotate(back, {-pose.x, -pose.y, -pose.z});
  back.x = t[0];
  back.y = t[1];
  back.z = t[2];
  return back;
}

/** The same pose with its quaternion at length one and a scalar that is not negative. */
inline Pose normalized(const Pose& pose) {
  const double norm = std::sqrt(pose.qw * pose.qw + pose.qx * pose.qx + pose.qy * pose.qy + pose.qz * pose.qz);
  const double scale = norm > 0 ? (pose.qw < 0 ? -1 : 1) / norm : 0;
  return {pose.x, pose.y, pose.z, norm > 0 ? pose.qw * scale : 1, pose.qx * scale, pose.qy * scale, pose.qz * scale};
}

/** Rotation matrix of the pose: its columns are B's axes in A. */
inline Mat3 rotation_matrix(const Pose& pose) {
  const double w = pose.qw, x = pose.qx, y = pose.qy, z = pose.qz;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

/** Pose from a rotation matrix and a translation; the matrix must be orthonormal with determinant +1. */
inline Pose pose_from_matrix(const Mat3& r, const Vec3& t) {
  // Divides by the largest of the four components, which is at least 1/2: no loss of digits near 180 degrees.
  const double trace = r[0] + r[4] + r[8];
  Pose pose{t[0], t[1], t[2], 1, 0, 0, 0};
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    pose.qw = s / 4, pose.qx = (r[7] - r[5]) / s, pose.qy = (r[2] - r[6]) / s, pose.qz = (r[3] - r[1]) / s;
  } else if (r[0] >= r[4] && r[0] >= r[8]) {
    const double s = 2 * std::sqrt(1 + r[0] - r[4] - r[8]);
    pose.qw = (r[7] - r[5]) / s, pose.qx = s / 4, pose.qy = (r[1] + r[3]) / s, pose.qz = (r[2] + r[6]) / s;
  } else if (r[4] >= r[8]) {
    const double s = 2 * std::sqrt(1 + r[4] - r[0] - r[8]);
    pose.qw = (r[2] - r[6]) / s, pose.qx = (r[1] + r[3]) / s, pose.qy = s / 4, pose.qz = (r[5] + r[7]) / s;
  } else {
    const double s = 2 * std::sqrt(1 + r[8] - r[0] - r[4]);
    pose.qw = (r[3] - r[1]) / s, pose.qx = (r[2] + r[6]) / s, pose.qy = (r[5] + r[7]) / s, pose.qz = s / 4;
  }
  return normalized(pose);
}

/** Pose from a position and roll, pitch, yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll). */
inline Pose pose_from_euler(double x, double y, double z, double roll, double pitch, double yaw) {
  const double cr = std::cos(roll / 2), sr = std::sin(roll / 2);
  const double cp = std::cos(pitch / 2), sp = std::sin(pitch / 2);
  const double cy = std::cos(yaw / 2), sy = std::sin(yaw / 2);
  return {x,
          y,
          z,
          cr * cp * cy + sr * sp * sy,
          sr * cp * cy - cr * sp * sy,
          cr * sp * cy + sr * cp * sy,
          cr * cp * sy - sr * sp * cy};
}

/** Angle of the rotation, radians, 0 to pi. */
inline double rotation_angle(const Pose& pose) {
  return 2 * std::atan2(std::sqrt(pose.qx * pose.qx + pose.qy * pose.qy + pose.qz * pose.qz), std::fabs(pose.qw));
}

/**
 * The camera's optical frame (x right, y down, z forward: OpenCV's) in the camera body frame (x forward, y left, z up).
 * field_optical = compose(field_camera, body_optical()).
 */
inline Pose body_optical() { return {0, 0, 0, 0.5, -0.5, 0.5, -0.5}; }

}  // namespace vedette
