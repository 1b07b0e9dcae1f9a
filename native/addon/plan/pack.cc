#include "pack.h"

namespace vedette {

namespace {

constexpr double DEG = 57.295779513082320877;

/** Appends numbers in the order in which they are put in. */
struct Row {
  std::vector<double>& out;

  template <typename... Numbers>
  Row& put(Numbers... numbers) {
    (out.push_back(static_cast<double>(numbers)), ...);
    return *this;
  }
  Row& put_pose(const Pose& p) { return put(p.x, p.y, p.z, p.qw, p.qx, p.qy, p.qz); }
  Row& put_corners(const double (&corners)[4][2]) {
    for (const auto& corner : corners) put(corner[0], corner[1]);
    return *this;
  }
};

void pack_row(const Detection& tag, Row row) {
  row.put(tag.family, tag.id, tag.hamming, tag.margin, tag.center[0], tag.center[1]).put_corners(tag.corners);
}

void pack_row(const TagPoints& tag, Row row) { row.put(tag.family, tag.id).put_corners(tag.corners); }

void pack_row(const TagPose& tag, Row row) {
  row.put(tag.family, tag.id, tag.ambiguity, tag.error_px, tag.alt_error_px).put_pose(tag.camera_tag).put_pose(tag.alt_camera_tag);
}

void pack_row(const FieldPose& pose, Row row) {
  row.put(pose.tag_count, pose.span_m, pose.mean_distance_m, pose.error_px, pose.ambiguity);
  row.put_pose(pose.field_camera).put_pose(pose.field_robot).put_pose(pose.alt_field_robot);
  const double* d = pose.deviations;
  row.put(d[0], d[1], d[2], d[3] * DEG, d[4] * DEG, d[5] * DEG);
}

template <typename T>
void pack_all(const std::vector<T>& rows, std::vector<double>& out) {
  out.push_back(static_cast<double>(rows.size()));
  for (const T& row : rows) pack_row(row, Row{out});
}

void pack_all(const Image&, std::vector<double>& out) { out.push_back(0); }  // pictures never leave as results

}  // namespace

void pack_rows(const Value& value, std::vector<double>& out) {
  std::visit([&out](const auto& rows) { pack_all(rows, out); }, value);
}

void pack_truth(const Frame& frame, std::vector<double>& out) {
  Row row{out};
  if (!frame.has_truth) {
    row.put(0, 0);
    return;
  }
  row.put(1).put_pose(frame.truth.field_robot).put_pose(frame.truth.field_camera);
  row.put(frame.truth.visible.size());
  for (const VisibleTag& tag : frame.truth.visible)
    row.put(tag.id, tag.distance_m, tag.visible_fraction, tag.center[0], tag.center[1]).put_corners(tag.corners);
}

}  // namespace vedette
