// AprilTags of the families that are named.
#include "tag_detector.h"
#include "tag_nodes.h"

namespace vedette {

std::unique_ptr<Node> make_apriltag_node(const Params& params, const Scene& scene) {
  std::vector<WantedFamily> wanted;
  for (const std::string& name : params.strings("families")) wanted.push_back(wanted_family(name));
  return std::make_unique<TagDetector>(params, std::move(wanted), scene.intrinsics);
}

}  // namespace vedette
