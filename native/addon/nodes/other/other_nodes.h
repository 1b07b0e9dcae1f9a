// Nodes that belong to no other room.
#pragma once

#include "node.h"

namespace vedette {

std::vector<NodeType> other_node_types();

std::unique_ptr<Node> make_barcode_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_focus_metric_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_plugin_node(const Params& params, const Scene& scene);
StepPorts plugin_ports(const Params& params);
std::unique_ptr<Node> make_script_node(const Params& params, const Scene& scene);

}  // namespace vedette
