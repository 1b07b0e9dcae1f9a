// ArUco markers of the dictionaries that are named: `4x4_50` are the first 50 of the family aruco_4x4, `original` are
// all of aruco_original.
#include <algorithm>
#include <cstdlib>

#include "tag_detector.h"
#include "tag_nodes.h"

namespace vedette {

std::unique_ptr<Node> make_aruco_node(const Params& params, const Scene& scene) {
  std::vector<WantedFamily> wanted;
  for (const std::string& name : params.strings("dictionaries")) {
    const size_t end = std::min(name.find('_'), name.size());
    WantedFamily family = wanted_family("aruco_" + name.substr(0, end));
    if (end < name.size())
      family.owner->ncodes =
          std::min(family.owner->ncodes, static_cast<uint32_t>(std::strtoul(name.c_str() + end + 1, nullptr, 10)));
    wanted.push_back(std::move(family));
  }
  return std::make_unique<TagDetector>(params, std::move(wanted), scene.intrinsics);
}

}  // namespace vedette
