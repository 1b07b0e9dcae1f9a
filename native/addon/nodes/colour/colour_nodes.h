// Nodes that find things by their colour and shape.
#pragma once

#include "node.h"

namespace vedette {

std::vector<NodeType> colour_node_types();

std::unique_ptr<Node> make_hsv_threshold_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_morphology_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_contours_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_contour_filter_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_contour_group_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_sort_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_target_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_polygons_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_circles_node(const Params& params, const Scene& scene);

}  // namespace vedette
