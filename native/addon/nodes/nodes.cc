// The types of nodes, room by room, with their ports as machines/pipeline/registry.ts knows them.
#include "colour_nodes.h"
#include "image_nodes.h"
#include "learned_nodes.h"
#include "node.h"
#include "other_nodes.h"
#include "tag_nodes.h"

namespace vedette {

const std::vector<NodeType>& node_types() {
  static const std::vector<NodeType> types = [] {
    std::vector<NodeType> all;
    for (const auto& room :
         {image_node_types(), tag_node_types(), colour_node_types(), learned_node_types(), other_node_types()})
      all.insert(all.end(), room.begin(), room.end());
    return all;
  }();
  return types;
}

const NodeType* find_node_type(const std::string& name) {
  for (const NodeType& type : node_types())
    if (name == type.name) return &type;
  return nullptr;
}

}  // namespace vedette
