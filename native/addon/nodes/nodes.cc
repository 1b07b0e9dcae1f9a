// The types of nodes, with their ports as machines/pipeline/registry.ts knows them.
#include "node.h"

namespace vedette {

namespace {

const NodeType::Port IMAGE{"image", Kind::image}, DETECTIONS{"detections", Kind::detections}, POINTS{"points", Kind::points};

}  // namespace

const std::vector<NodeType>& node_types() {
  static const std::vector<NodeType> types{
      {"source", {}, {IMAGE}, make_source_node},
      {"gray", {IMAGE}, {IMAGE}, make_gray_node},
      {"resize", {IMAGE}, {IMAGE}, make_resize_node},
      {"crop", {IMAGE}, {IMAGE}, make_crop_node},
      {"apriltag", {IMAGE}, {DETECTIONS}, make_apriltag_node},
      {"undistort-points", {DETECTIONS}, {POINTS}, make_undistort_points_node},
      {"tag-pose", {POINTS}, {{"poses", Kind::tag_poses}}, make_tag_pose_node},
      {"field-pose", {POINTS, {"tag_poses", Kind::tag_poses, true}}, {{"pose", Kind::field_pose}}, make_field_pose_node},
  };
  return types;
}

const NodeType* find_node_type(const std::string& name) {
  for (const NodeType& type : node_types())
    if (name == type.name) return &type;
  return nullptr;
}

}  // namespace vedette
