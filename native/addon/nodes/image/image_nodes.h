// Nodes that make pictures of pictures, or measure them.
#pragma once

#include "node.h"

namespace vedette {

std::vector<NodeType> image_node_types();

std::unique_ptr<Node> make_source_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_gray_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_resize_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_crop_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_rotate_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_flip_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_blur_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_exposure_stats_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_undistort_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_keystone_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_mask_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_overlay_node(const Params& params, const Scene& scene);

}  // namespace vedette
