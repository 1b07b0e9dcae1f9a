#include "image_nodes.h"

namespace vedette {

namespace {

double bytes_of_resize(const Params& params) { return 3.0 * params.number("width_px") * params.number("height_px"); }


}  // namespace

std::vector<NodeType> image_node_types() {
  return {
      {"source", {}, {image_port(PortFormat::gray), {"colour", Kind::image, true, PortFormat::colour}}, make_source_node},
      {"gray", {image_port(PortFormat::any)}, {image_port(PortFormat::gray)}, make_gray_node},
      {"resize", {image_port(PortFormat::any)}, {image_port(PortFormat::same)}, make_resize_node, bytes_of_resize},
      {"crop", {image_port(PortFormat::any)}, {image_port(PortFormat::same)}, make_crop_node},
  };
}

}  // namespace vedette
