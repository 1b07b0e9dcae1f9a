#include "image_nodes.h"

namespace vedette {

namespace {

double bytes_of_resize(const Params& params) { return 3.0 * params.number("width_px") * params.number("height_px"); }
double bytes_of_keystone(const Params& params) {
  return 3 * params.number_or("width_px", 0) * params.number_or("height_px", 0);
}

const NodeType::Port ANY = image_port(PortFormat::any), SAME = image_port(PortFormat::same);

}  // namespace

std::vector<NodeType> image_node_types() {
  return {
      {"source",
       {},
       {image_port(PortFormat::gray), {"colour", Kind::image, true, PortFormat::colour}},
       make_source_node},
      {"gray", {ANY}, {image_port(PortFormat::gray)}, make_gray_node},
      {"resize", {ANY}, {SAME}, make_resize_node, bytes_of_resize},
      {"crop", {ANY}, {SAME}, make_crop_node},
      {"rotate", {ANY}, {SAME}, make_rotate_node},
      {"flip", {ANY}, {SAME}, make_flip_node},
      {"blur", {ANY}, {SAME}, make_blur_node},
      {"exposure-stats", {ANY}, {{"exposure", Kind::exposure}}, make_exposure_stats_node},
      {"undistort", {ANY}, {SAME}, make_undistort_node},
      {"keystone", {ANY}, {SAME}, make_keystone_node, bytes_of_keystone},
      {"mask", {ANY, {"mask", Kind::image, true, PortFormat::mask}}, {SAME}, make_mask_node},
      {"overlay",
       {ANY,
        {"detections", Kind::detections, true},
        {"contours", Kind::contours, true},
        {"targets", Kind::targets, true},
        {"objects", Kind::objects, true},
        {"circles", Kind::circles, true},
        {"barcodes", Kind::barcodes, true}},
       {image_port(PortFormat::colour)},
       make_overlay_node},
  };
}

}  // namespace vedette
