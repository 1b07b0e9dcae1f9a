#include "tag_nodes.h"

namespace vedette {

namespace {

const NodeType::Port DETECTIONS{"detections", Kind::detections}, POINTS{"points", Kind::points};

/** Tables for decoding, with three families and two bits to correct. */
double bytes_of_apriltag(const Params&) { return 36e6; }


}  // namespace

std::vector<NodeType> tag_node_types() {
  return {
      {"apriltag", {image_port(PortFormat::gray)}, {DETECTIONS}, make_apriltag_node, bytes_of_apriltag},
      {"undistort-points", {DETECTIONS}, {POINTS}, make_undistort_points_node},
      {"tag-pose", {POINTS}, {{"poses", Kind::tag_poses}}, make_tag_pose_node},
      {"field-pose", {POINTS, {"tag_poses", Kind::tag_poses, true}}, {{"pose", Kind::field_pose}}, make_field_pose_node},
  };
}

}  // namespace vedette
