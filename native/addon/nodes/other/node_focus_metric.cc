// How sharp a picture is, for turning the ring of a lens: the greater, the sharper. Numbers of different scenes cannot
// be compared.
#include <algorithm>

#include "other_nodes.h"

namespace vedette {

namespace {

/** Sums over the pixels that have all four neighbours, whole numbers, so that no order of adding matters. */
struct Sums {
  int64_t level = 0, laplacian = 0, squared = 0;
};

void add_row(const uint8_t* above, const uint8_t* row, const uint8_t* below, int width, Sums& sums) {
  int32_t level = 0, laplacian = 0;
  int64_t squared = 0;
  for (int x = 1; x < width - 1; x++) {
    const int32_t at = above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x];
    level += row[x];
    laplacian += at;
    squared += at * at;
  }
  sums.level += level;
  sums.laplacian += laplacian;
  sums.squared += squared;
}

class FocusMetricNode : public Node {
 public:
  void process(const Moment&, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    FocusMetrics& out = ports.out<FocusMetrics>();
    out.clear();
    if (image.width < 3 || image.height < 3) return;
    const double sharpness = sharpness_of(image);
    best_ = std::max(best_, sharpness);
    out.push_back({sharpness, best_});
  }

 private:
  /** 0 for a black picture. */
  static double sharpness_of(const Image& image) {
    Sums sums;
    for (int y = 1; y < image.height - 1; y++) {
      const uint8_t* row = image.pixels + static_cast<size_t>(y) * image.stride;
      add_row(row - image.stride, row, row + image.stride, image.width, sums);
    }
    const double count = static_cast<double>(image.width - 2) * (image.height - 2);
    const double mean = static_cast<double>(sums.level) / count, tilt = static_cast<double>(sums.laplacian) / count;
    return mean == 0 ? 0 : (static_cast<double>(sums.squared) / count - tilt * tilt) / (mean * mean);
  }

  double best_ = 0;
};

}  // namespace

std::unique_ptr<Node> make_focus_metric_node(const Params&, const Scene&) {
  return std::make_unique<FocusMetricNode>();
}

}  // namespace vedette
