// Puts outlines into an order, and keeps the first ones. Those that are alike stay in the order in which they came.
#include <algorithm>
#include <cmath>

#include "colour_nodes.h"
#include "outline.h"

namespace vedette {

namespace {

/** What is least comes first. */
double key_of(const std::string& by, const Contour& row, const Frame& frame) {
  if (by == "largest") return -row.area_px;
  if (by == "smallest") return row.area_px;
  if (by == "leftmost") return row.center[0];
  if (by == "rightmost") return -row.center[0];
  if (by == "topmost") return row.center[1];
  if (by == "bottommost") return -row.center[1];
  if (by == "centremost") return std::hypot(row.center[0] - frame.width / 2.0, row.center[1] - frame.height / 2.0);
  throw Fault{"engine.bad_task", "there is no order " + by + " of contours"};
}

class SortNode : public Node {
 public:
  explicit SortNode(const Params& params) { set_params(params); }

  void set_params(const Params& params) override {
    const std::string by = params.string("by");
    const int limit = params.integer("limit");
    key_of(by, Contour{}, Frame{});  // refuses one that it does not know
    by_ = by;
    limit_ = static_cast<size_t>(std::max(0, limit));
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Contours& out = ports.out<Contours>();
    out.clear();
    order_.clear();
    for (size_t i = 0; i < contours.rows.size(); i++)
      order_.push_back({key_of(by_, contours.rows[i], moment.frame), i});
    const size_t count = std::min(limit_, order_.size());
    std::partial_sort(order_.begin(), order_.begin() + count, order_.end());
    for (size_t i = 0; i < count; i++) add_copy(contours, contours.rows[order_[i].second], out);
  }

 private:
  std::string by_;
  size_t limit_ = 0;
  std::vector<std::pair<double, size_t>> order_;
};

}  // namespace

std::unique_ptr<Node> make_sort_node(const Params& params, const Scene&) { return std::make_unique<SortNode>(params); }

}  // namespace vedette
