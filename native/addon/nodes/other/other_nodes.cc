#include "other_nodes.h"

namespace vedette {

namespace {

/** All that can be an output, each under its own name. */
std::vector<NodeType::Port> all_rows() {
  std::vector<NodeType::Port> ports;
  for (size_t kind = 0; kind < std::size(KIND_NAMES); kind++)
    if (static_cast<Kind>(kind) != Kind::image) ports.push_back({KIND_NAMES[kind], static_cast<Kind>(kind), true});
  return ports;
}

}  // namespace

std::vector<NodeType> other_node_types() {
  return {
      {"barcode", {image_port(PortFormat::gray)}, {{"barcodes", Kind::barcodes}}, make_barcode_node},
      {"focus-metric", {image_port(PortFormat::gray)}, {{"focus", Kind::focus}}, make_focus_metric_node},
      {"plugin", {}, {}, make_plugin_node, nullptr, plugin_ports},
      {"script", all_rows(), {{"values", Kind::values}}, make_script_node},
  };
}

}  // namespace vedette
