// Nodes that find tags and solve poses from them.
#pragma once

#include "node.h"

namespace vedette {

std::vector<NodeType> tag_node_types();

std::unique_ptr<Node> make_apriltag_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_aruco_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_undistort_points_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_tag_pose_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_field_pose_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_id_filter_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_priority_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_tag_offset_node(const Params& params, const Scene& scene);

}  // namespace vedette
