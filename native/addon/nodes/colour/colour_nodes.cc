#include "colour_nodes.h"

namespace vedette {

namespace {

const NodeType::Port CONTOURS{"contours", Kind::contours};

}  // namespace

std::vector<NodeType> colour_node_types() {
  return {
      {"hsv-threshold",
       {image_port(PortFormat::colour)},
       {image_port(PortFormat::mask, "mask")},
       make_hsv_threshold_node},
      {"morphology",
       {image_port(PortFormat::mask, "mask")},
       {image_port(PortFormat::mask, "mask")},
       make_morphology_node},
      {"contours", {image_port(PortFormat::mask, "mask")}, {CONTOURS}, make_contours_node},
      {"contour-filter", {CONTOURS}, {CONTOURS}, make_contour_filter_node},
      {"contour-group", {CONTOURS}, {CONTOURS}, make_contour_group_node},
      {"sort", {CONTOURS}, {CONTOURS}, make_sort_node},
      {"polygons", {CONTOURS}, {CONTOURS}, make_polygons_node},
      {"circles", {CONTOURS}, {{"circles", Kind::circles}, {"contours", Kind::contours, true}}, make_circles_node},
      {"target", {CONTOURS}, {{"targets", Kind::targets}}, make_target_node},
  };
}

}  // namespace vedette
