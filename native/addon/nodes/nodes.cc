// The types of nodes, with their ports as machines/graph/ knows them.
#include "node.h"

namespace vedette {

namespace {

const NodeType NODE_TYPES[] = {
    {"source", {}, {Kind::image}, make_source_node},
    {"gray", {{Kind::image}}, {Kind::image}, make_gray_node},
    {"resize", {{Kind::image}}, {Kind::image}, make_resize_node},
    {"crop", {{Kind::image}}, {Kind::image}, make_crop_node},
    {"apriltag", {{Kind::image}}, {Kind::detections}, make_apriltag_node},
    {"undistort-points", {{Kind::detections}}, {Kind::points}, make_undistort_points_node},
    {"tag-pose", {{Kind::points}}, {Kind::tag_poses}, make_tag_pose_node},
    {"field-pose", {{Kind::points}, {Kind::tag_poses, true}}, {Kind::field_pose}, make_field_pose_node},
};

}  // namespace

const NodeType* find_node_type(const std::string& name) {
  for (const NodeType& type : NODE_TYPES)
    if (name == type.name) return &type;
  return nullptr;
}

}  // namespace vedette
