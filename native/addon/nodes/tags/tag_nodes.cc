#include "tag_nodes.h"

namespace vedette {

namespace {

const NodeType::Port DETECTIONS{"detections", Kind::detections}, POINTS{"points", Kind::points},
    POSES{"poses", Kind::tag_poses};

/** Most that its tables for decoding take, by the registry. */
double bytes_of_detector(const Params&) { return 40e6; }

}  // namespace

std::vector<NodeType> tag_node_types() {
  return {
      {"apriltag", {image_port(PortFormat::gray)}, {DETECTIONS}, make_apriltag_node, bytes_of_detector},
      {"aruco", {image_port(PortFormat::gray)}, {DETECTIONS}, make_aruco_node, bytes_of_detector},
      {"undistort-points", {DETECTIONS}, {POINTS}, make_undistort_points_node},
      {"tag-pose", {POINTS}, {POSES}, make_tag_pose_node},
      {"field-pose",
       {POINTS, {"tag_poses", Kind::tag_poses, true}},
       {{"pose", Kind::field_pose}},
       make_field_pose_node},
      {"id-filter", {DETECTIONS}, {DETECTIONS}, make_id_filter_node},
      {"priority", {DETECTIONS, {"poses", Kind::tag_poses, true}}, {DETECTIONS}, make_priority_node},
      {"tag-offset",
       {POSES},
       {{"poses", Kind::tag_poses, true}, {"targets", Kind::targets, true}},
       make_tag_offset_node},
  };
}

}  // namespace vedette
