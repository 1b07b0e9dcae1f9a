#include "pack.h"

#include <cstring>

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
  row.put(tag.family, tag.id, tag.ambiguity, tag.error_px, tag.alt_error_px)
      .put_pose(tag.camera_tag)
      .put_pose(tag.alt_camera_tag);
  row.put(tag.no_pose);
}

void pack_row(const FieldPose& pose, Row row) {
  row.put(pose.tag_count, pose.span_m, pose.mean_distance_m, pose.error_px, pose.ambiguity);
  row.put_pose(pose.field_camera).put_pose(pose.field_robot).put_pose(pose.alt_field_robot);
  const double* d = pose.deviations;
  row.put(d[0], d[1], d[2], d[3] * DEG, d[4] * DEG, d[5] * DEG);
  const double* h = pose.heading_deviations;
  row.put(pose.has_heading).put_pose(pose.heading_field_robot).put(h[0], h[1], h[2]);
}

void pack_row(const Contour& contour, Row row) {
  row.put(contour.center[0], contour.center[1], contour.area_px, contour.x_px, contour.y_px, contour.width_px,
          contour.height_px)
      .put_corners(contour.rect);
  row.put(contour.count);
}

void pack_row(const Target& target, Row row) {
  row.put(target.tx_deg, target.ty_deg, target.area_share, target.skew_deg, target.center[0], target.center[1],
          target.width_px, target.height_px);
  row.put_corners(target.corners).put(target.has_pose, target.error_px).put_pose(target.camera_target);
}

void pack_row(const Circle& circle, Row row) { row.put(circle.center[0], circle.center[1], circle.radius_px); }

void pack_row(const Object& object, Row row) {
  row.put(object.label, object.confidence, object.center[0], object.center[1], object.width_px, object.height_px,
          object.tx_deg, object.ty_deg);
}

void pack_row(const Class& found, Row row) { row.put(found.label, found.confidence); }

void pack_row(const Barcode& code, Row row) { row.put_corners(code.corners).put(code.at, code.bytes, code.symbology); }

void pack_row(const Exposure& exposure, Row row) {
  row.put(exposure.mean, exposure.median, exposure.p05, exposure.p95, exposure.dark_share, exposure.bright_share);
}

void pack_row(const Focus& focus, Row row) { row.put(focus.sharpness, focus.best); }

void pack_row(const TextPart& part, Row row) { row.put(part.at, part.bytes); }

template <typename T>
void pack_all(const std::vector<T>& rows, std::vector<double>& out) {
  out.push_back(static_cast<double>(rows.size()));
  for (const T& row : rows) pack_row(row, Row{out});
}

/** Those that are somewhere. */
void pack_all(const Points& points, std::vector<double>& out) {
  const size_t count = out.size();
  out.push_back(0);
  for (const TagPoints& tag : points)
    if (tag.no_pose == NoPose::none) pack_row(tag, Row{out}), out[count]++;
}

void pack_all(const Contours& contours, std::vector<double>& out) { pack_all(contours.rows, out); }

/** Behind the rows the length of the text, and the text itself: eight bytes in each double. */
void pack_text(const std::string& text, std::vector<double>& out) {
  const size_t doubles = (text.size() + sizeof(double) - 1) / sizeof(double), at = out.size() + 1;
  out.push_back(static_cast<double>(doubles));
  out.resize(at + doubles);
  std::memcpy(out.data() + at, text.data(), text.size());
}

void pack_all(const Barcodes& codes, std::vector<double>& out) {
  pack_all(codes.rows, out);
  pack_text(codes.text, out);
}

void pack_all(const Values& values, std::vector<double>& out) {
  pack_all(values.rows, out);
  pack_text(values.text, out);
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
  row.put(frame.truth.has_board).put_pose(frame.truth.camera_board);
  row.put(frame.truth.visible.size());
  for (const VisibleTag& tag : frame.truth.visible)
    row.put(tag.id, tag.distance_m, tag.visible_fraction, tag.center[0], tag.center[1]).put_corners(tag.corners);
}

void pack_observation(const Points& points, const Observed& how, std::vector<double>& out) {
  const auto& [camera, mount, exposure_us] = how;
  Row row{out};
  row.put(camera.known ? camera.fx : 0, camera.known ? camera.fy : 0).put_pose(mount.value_or(Pose{}));
  row.put(mount.has_value(), exposure_us, points.size());
  for (const TagPoints& tag : points)
    row.put(tag.family, tag.id).put_corners(tag.corners).put(tag.sigma_px, tag.no_pose);
}

}  // namespace vedette
